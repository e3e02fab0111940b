import type { Filter } from '../lance/filter.ts'
import type { Stamp } from '../table/stamp-clock.ts'
import type {
  Gone,
  Document,
  DatasourceInfo,
  DocumentVersion,
  StoredDocument,
} from './documents.ts'
import { type Change, countFragments } from './fragment-change.ts'

/** A write that waits. `change` is asked when its turn comes, and again if its commit failed. */
export type FragmentWrite = {
  /** The ids of those that it writes; `change` gets their infos. */
  documents?: string[]
  /** The id of one that it deletes; `change` gets it whole. */
  removes?: string
  batch?: string
  /** For bulk writes: which documents to change. */
  where?: Filter
  rows: number
  /** Whether it waits for a compaction. By default a write to stored documents does. */
  rewrites?: boolean
  change: (current: Current, stamp: Stamp) => Partial<Change>
  /** Receives the digest of the batch that another process added at the same time. */
  cameSecond?: (digest: string | undefined) => void
}

export type Plan<Outcome> = FragmentWrite & { outcome: () => Outcome }

/** The stored state when the write runs. */
type Current = {
  /** By id. */
  infos: ReadonlyMap<string, DatasourceInfo>
  removed: StoredDocument | undefined
  digest: string | undefined
  matching: Gone[]
}

/** Throws if the stored document, or its absence, forbids the change. */
export type Check = (current: DatasourceInfo | undefined) => void

export type Put = { info: DatasourceInfo; isNew: boolean }

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
    documents: [id],
    rows: fragmentCount,
    change: ({ infos }, stamp) => {
      const info = infos.get(id)
      isFound = info !== undefined
      if (!info) return {}
      const replacement = replacementOf(info)
      if (!replacement) return {}
      const times = { createdAt: info.createdAt, updatedAt: stamp() }
      return { written: [{ ...replacement, ...times }], gone: [info] }
    },
    outcome: () => isFound,
  }
}

/** @param mayAppear whether another process may add one of them meanwhile */
export function putting(documents: Document[], check: Check, mayAppear: boolean): Plan<Put[]> {
  const absent = (id: string) => (mayAppear ? [{ id, fragmentCount: 0 }] : [])
  let puts: Put[] = []
  return {
    documents: documents.map(({ id }) => id),
    rows: countFragments(documents),
    change: ({ infos: stored }, stamp) => {
      const infos = documents.map(({ id }) => stored.get(id))
      // A second try finds its own rows if the first was done although it failed.
      if (puts.length > 0 && puts.every(({ info }, n) => info.updatedAt === infos[n]?.updatedAt)) {
        return {}
      }
      for (const info of infos) check(info)
      const updatedAt = stamp()
      const written = documents.map((document, index) => {
        return { ...document, createdAt: infos[index]?.createdAt ?? updatedAt, updatedAt }
      })
      puts = written.map((version, n) => ({ info: infoOf(version), isNew: infos[n] === undefined }))
      return { written, gone: documents.flatMap(({ id }, index) => infos[index] ?? absent(id)) }
    },
    outcome: () => puts,
  }
}

export function removing(id: string, check: Check): Plan<StoredDocument | undefined> {
  let removed: StoredDocument | undefined
  return {
    removes: id,
    rows: rowsOfDelete,
    change: ({ removed: stored }) => {
      // A second try finds no row if the first was done although it failed.
      removed = stored ?? removed
      if (!stored) return {}
      check(stored.info)
      return { gone: [stored.info] }
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

function infoOf({ fragments, ...fields }: DocumentVersion): DatasourceInfo {
  return { ...fields, fragmentCount: fragments.length }
}

const firstVersions = (documents: Document[], now: string): DocumentVersion[] =>
  documents.map((document) => ({ ...document, createdAt: now, updatedAt: now }))
