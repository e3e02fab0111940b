import type { Stamp } from '../table/stamp-clock.ts'
import type { Filter } from '../lance/filter.ts'
import { type Change, countFragments, type Gone } from './fragment-change.ts'
import type { Document, DatasourceInfo, DocumentVersion, StoredDocument } from './rows.ts'

/** A write that waits. `change` is asked when its turn comes, and again if its commit failed. */
export type FragmentWrite = {
  document?: string
  batch?: string
  /** For bulk writes: which documents to change. */
  where?: Filter
  rows: number
  /** Whether it waits for a compaction. By default a write to one document or to many does. */
  rewrites?: boolean
  change: (current: Current, stamp: Stamp) => Partial<Change>
  /** Receives the digest of the batch that another process added at the same time. */
  cameSecond?: (digest: string | undefined) => void
}

export type Plan<Outcome> = FragmentWrite & { outcome: () => Outcome }

/** The stored state when the write runs. */
type Current = {
  document: StoredDocument | undefined
  digest: string | undefined
  matching: Gone[]
}

/** Throws if the stored document, or its absence, forbids the change. */
export type Check = (current: DatasourceInfo | undefined) => void

export type Put = { head: DatasourceInfo; isNew: boolean }

/** The assumed cost of a delete, because how many fragments it reads is not known yet. */
const rowsOfDelete = 32

export const adding = (documents: Document[]): Plan<void> => ({
  rows: countFragments(documents),
  change: (_, stamp) => ({ written: firstVersions(documents, stamp()) }),
  outcome: () => undefined,
})

export function addingOnce(documents: Document[]): Plan<string | undefined> {
  const { batch, digest } = documents[0]!
  let stored: string | undefined
  return {
    batch,
    rows: countFragments(documents),
    change: (current, stamp) => {
      stored = current.digest ?? digest ?? undefined
      return current.digest === undefined ? { written: firstVersions(documents, stamp()) } : {}
    },
    cameSecond: (first) => (stored = first),
    outcome: () => stored,
  }
}

export function askingForDigest(batch: string): Plan<string | undefined> {
  let stored: string | undefined
  return {
    batch,
    rows: 0,
    change: ({ digest }) => {
      stored = digest
      return {}
    },
    outcome: () => stored,
  }
}

export function replacing(
  id: string,
  replacementOf: (current: DatasourceInfo) => Document | undefined,
  fragmentCount: number,
): Plan<boolean> {
  let isFound = false
  return {
    document: id,
    rows: fragmentCount,
    change: ({ document }, stamp) => {
      isFound = document !== undefined
      if (!document) return {}
      const { head } = document
      const replacement = replacementOf(head)
      if (!replacement) return {}
      const times = { createdAt: head.createdAt, updatedAt: stamp() }
      return { written: [{ ...replacement, ...times }], gone: [head] }
    },
    outcome: () => isFound,
  }
}

export const rewriting = (document: DocumentVersion): Plan<void> => ({
  document: document.id,
  rows: document.fragments.length,
  change: ({ document: current }) =>
    current?.head.updatedAt === document.updatedAt
      ? { written: [document], gone: [current.head] }
      : {},
  outcome: () => undefined,
})

/** @param mayAppear whether another process may add it meanwhile */
export function putting(document: Document, check: Check, mayAppear: boolean): Plan<Put> {
  const { id, fragments, ...fields } = document
  const absent = mayAppear ? [{ id, fragmentCount: 0 }] : []
  let put: Put | undefined
  return {
    document: id,
    rows: fragments.length,
    change: ({ document: current }, stamp) => {
      // A second try finds its own row if the first was done although it failed.
      if (put && current?.head.updatedAt === put.head.updatedAt) return {}
      check(current?.head)
      const updatedAt = stamp()
      const times = { createdAt: current?.head.createdAt ?? updatedAt, updatedAt }
      const head = { id, ...fields, fragmentCount: fragments.length, ...times }
      put = { head, isNew: current === undefined }
      return { written: [{ ...document, ...times }], gone: current ? [current.head] : absent }
    },
    outcome: () => put!,
  }
}

export function removing(id: string, check: Check): Plan<StoredDocument | undefined> {
  let removed: StoredDocument | undefined
  return {
    document: id,
    rows: rowsOfDelete,
    change: ({ document }) => {
      // A second try finds no row if the first was done although it failed.
      removed = document ?? removed
      if (!document) return {}
      check(document.head)
      return { gone: [document.head] }
    },
    outcome: () => removed,
  }
}

export function removingAll(where: Filter): Plan<number> {
  let count = 0
  return {
    where,
    rows: rowsOfDelete,
    change: ({ matching }) => {
      // A second try finds no rows if the first was done although it failed.
      count = Math.max(count, matching.length)
      return { gone: matching }
    },
    outcome: () => count,
  }
}

const firstVersions = (documents: Document[], now: string): DocumentVersion[] =>
  documents.map((document) => ({ ...document, createdAt: now, updatedAt: now }))
