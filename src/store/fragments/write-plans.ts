import type { Filter } from '../lance/filter.ts'
import type { Stamp } from '../table/table-writer.ts'
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
  /** Called if another process came first, so that no document was written. */
  overtaken?: () => void
}

type WriteAll = (writes: FragmentWrite[], isRetry: boolean) => Promise<void>

/** Writes deletes by filter after the others, in a commit of their own, because they may match what those write. */
export const inOrder =
  (write: WriteAll): WriteAll =>
  async (writes, isRetry) => {
    const groups = [writes.filter(({ where }) => !where), writes.filter(({ where }) => where)]
    for (const group of groups) if (group.length > 0) await write(group, isRetry)
  }

/** A write with its outcome. `before` is that of a first try, which may be stored although it failed. */
export type Plan<Outcome> = Omit<FragmentWrite, 'change' | 'overtaken'> & {
  change: (
    current: Current,
    stamp: Stamp,
    before?: Outcome,
  ) => Partial<Change> & { outcome: Outcome }
}

/** The stored state when the write runs. */
type Current = {
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
  change: (_, stamp) => ({ written: firstVersions(documents, stamp()), outcome: undefined }),
})

/** @param mayAppear whether another process may add the batch meanwhile */
export function addingOnce(documents: Document[], mayAppear: boolean): Plan<string | undefined> {
  const { batch, digest } = documents[0]!
  return {
    batch,
    rows: countFragments(documents),
    change: (current, stamp) => {
      if (current.digest !== undefined) return { outcome: current.digest }
      const gone = mayAppear ? documents.map(({ id }) => absent(id)) : []
      return { written: firstVersions(documents, stamp()), gone, outcome: digest ?? undefined }
    },
  }
}

export const askingForDigest = (batch: string): Plan<string | undefined> => ({
  batch,
  rows: 0,
  change: ({ digest }) => ({ outcome: digest }),
})

export const replacing = (
  id: string,
  replacementOf: (current: DatasourceInfo) => Document | undefined,
  fragmentCount: number,
): Plan<boolean> => ({
  documents: [id],
  rows: fragmentCount,
  change: ({ infos }, stamp) => {
    const info = infos.get(id)
    const replacement = info && replacementOf(info)
    if (!replacement) return { outcome: info !== undefined }
    const times = { createdAt: info.createdAt, updatedAt: stamp() }
    return { written: [{ ...replacement, ...times }], gone: [info], outcome: true }
  },
})

/** @param mayAppear whether another process may add one of them meanwhile */
export function putting(documents: Document[], check: Check, mayAppear: boolean): Plan<Put[]> {
  return {
    documents: documents.map(({ id }) => id),
    rows: countFragments(documents),
    change: ({ infos: stored }, stamp, before = []) => {
      const infos = documents.map(({ id }) => stored.get(id))
      const isDone = before.every(({ info }, n) => info.updatedAt === infos[n]?.updatedAt)
      if (before.length > 0 && isDone) return { outcome: before }
      for (const info of infos) check(info)
      const updatedAt = stamp()
      const written = documents.map((document, index) => {
        return { ...document, createdAt: infos[index]?.createdAt ?? updatedAt, updatedAt }
      })
      const gone = documents.flatMap(
        ({ id }, index) => infos[index] ?? (mayAppear ? absent(id) : []),
      )
      const puts = written.map((one, n) => ({ info: infoOf(one), isNew: infos[n] === undefined }))
      return { written, gone, outcome: puts }
    },
  }
}

export const removing = (id: string, check: Check): Plan<StoredDocument | undefined> => ({
  removes: id,
  rows: rowsOfDelete,
  change: ({ removed }, _stamp, before) => {
    if (!removed) return { outcome: before }
    check(removed.info)
    return { gone: [removed.info], outcome: removed }
  },
})

export const removingAll = (where: Filter): Plan<number> => ({
  where,
  rows: rowsOfDelete,
  change: ({ matching }, _stamp, before = 0) => ({
    gone: matching,
    outcome: Math.max(before, matching.length),
  }),
})

const absent = (id: string): Gone => ({ id, fragmentCount: 0 })

function infoOf({ fragments, ...fields }: DocumentVersion): DatasourceInfo {
  return { ...fields, fragmentCount: fragments.length }
}

const firstVersions = (documents: Document[], now: string): DocumentVersion[] =>
  documents.map((document) => ({ ...document, createdAt: now, updatedAt: now }))
