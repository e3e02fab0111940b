import type { Table } from '@lancedb/lancedb'
import type { Deadline } from '../deadline.ts'
import { oneOf } from './filter.ts'
import type { OpenTable } from './open-table.ts'
import {
  type Document,
  type DocumentHead,
  type DocumentVersion,
  type StoredDocument,
  toTable,
} from './rows.ts'
import { type Stamp, type Write, WriteQueue } from './write-queue.ts'

/** What the writes need to see of the table. */
export type WritesView = {
  documents: (ids: string[]) => Promise<ReadonlyMap<string, StoredDocument>>
  digests: (batches: string[]) => Promise<ReadonlyMap<string, string>>
}

type FragmentWrite = Write & {
  /** What it changes, made from the document it touches. */
  change: (current: StoredDocument | undefined, stamp: Stamp) => Partial<Change>
  /** Where its documents are only to be added if none of their batch is there. */
  once?: { batch: string; cameFirst: (digest: string | undefined) => void }
}

type Change = { added: DocumentVersion[]; replaced: Replacement[]; removed: string[] }
type Replacement = { version: DocumentVersion; fragmentCount: number }

/** The writes to a datastore's documents: whatever waits goes into one commit. */
export class FragmentWrites {
  readonly #table: OpenTable
  readonly #view: WritesView
  readonly #queue: WriteQueue<FragmentWrite>

  constructor(table: OpenTable, view: WritesView) {
    this.#table = table
    this.#view = view
    this.#queue = new WriteQueue(
      (writes, stamp, isRetry) => this.#write(writes, stamp, isRetry),
      () => table.tidy(),
    )
  }

  /** Adds new documents, all or none. */
  add(documents: Document[], deadline: Deadline): Promise<void> {
    const change = (_: unknown, stamp: Stamp) => ({ added: firstVersions(documents, stamp()) })
    return this.#queue.run({ rows: rowsOf(documents), change }, deadline)
  }

  /**
   * Adds documents of one batch, all or none, of which none is there unless another process adds
   * them at the same time.
   * @returns the digest of those that are there now: these, or the ones that came first
   */
  async addOnce(documents: Document[], deadline: Deadline): Promise<string | undefined> {
    const { batch } = documents[0]!
    let digest = documents[0]!.digest ?? undefined
    const write: FragmentWrite = {
      rows: rowsOf(documents),
      change: (_, stamp) => ({ added: firstVersions(documents, stamp()) }),
      once: { batch, cameFirst: (found) => (digest = found) },
    }
    await this.#queue.run(write, deadline)
    return digest
  }

  /**
   * Puts another document in the place of the one of that id. It is made from what is there when
   * its turn comes, so that no write between is lost.
   * @returns false when there is none
   */
  async replace(
    id: string,
    replacementOf: (current: DocumentHead) => Document,
    deadline: Deadline,
  ): Promise<boolean> {
    let found = false
    const change: FragmentWrite['change'] = (current, stamp) => {
      found = current !== undefined
      if (!current) return {}
      const { createdAt, fragmentCount } = current.head
      const version = { ...replacementOf(current.head), createdAt, updatedAt: stamp() }
      return { replaced: [{ version, fragmentCount }] }
    }
    await this.#queue.run({ touches: id, rows: 1, change }, deadline)
    return found
  }

  /** Deletes the document of that id and returns it as it was, or undefined when there is none. */
  async remove(id: string, deadline: Deadline): Promise<StoredDocument | undefined> {
    let removed: StoredDocument | undefined
    const change: FragmentWrite['change'] = (current) => {
      removed = current
      return current ? { removed: [id] } : {}
    }
    await this.#queue.run({ touches: id, rows: 0, change }, deadline)
    return removed
  }

  /** Lets running writes finish and refuses all others with the error `reason` makes. */
  async refuse(reason: () => Error): Promise<void> {
    this.#queue.close(reason)
    await this.#queue.idle()
  }

  idle(): Promise<void> {
    return this.#queue.idle()
  }

  async #write(writes: FragmentWrite[], stamp: Stamp, isRetry: boolean): Promise<void> {
    const touched = writes.flatMap(({ touches }) => touches ?? [])
    const current = touched.length > 0 ? await this.#view.documents(touched) : undefined
    const changes = writes.map(({ touches, change }) => change(current?.get(touches ?? ''), stamp))
    const change: Change = {
      added: changes.flatMap(({ added = [] }) => added),
      replaced: changes.flatMap(({ replaced = [] }) => replaced),
      removed: changes.flatMap(({ removed = [] }) => removed),
    }
    const onces = writes.flatMap(({ once }) => once ?? [])
    const mayBeThere = onces.length > 0 || isRetry
    const isComplete = await this.#table.commit((table) => apply(table, change, mayBeThere))
    await this.#table.sync()
    if (isComplete) return
    const digests = await this.#view.digests(onces.map(({ batch }) => batch))
    for (const { batch, cameFirst } of onces) cameFirst(digests.get(batch))
  }
}

/**
 * Makes one commit, of the cheapest kind that will do.
 * @param mayBeThere whether some of what is added may be in the table, and is to stay as it is there
 * @returns whether all of it came in
 */
async function apply(table: Table, change: Change, mayBeThere: boolean): Promise<boolean> {
  const { added, replaced, removed } = change
  const changed = [...replaced.map(({ version }) => version.id), ...removed]
  const versions = [...added, ...replaced.map(({ version }) => version)]
  if (versions.length === 0) {
    if (removed.length > 0) await table.delete(oneOf('datasource_id', removed))
    return true
  }
  const rows = toTable(versions)
  if (changed.length === 0 && !mayBeThere) {
    await table.add(rows)
    return true
  }
  const insert = table.mergeInsert('id').whenNotMatchedInsertAll()
  const merge =
    changed.length === 0
      ? insert
      : insert
          .whenMatchedUpdateAll({ where: oneOf('target.datasource_id', changed) })
          .whenNotMatchedBySourceDelete({ where: oneOf('datasource_id', changed) })
  const { numInsertedRows } = await merge.execute(rows)
  return numInsertedRows === rowsOf(added) + replaced.reduce((sum, one) => sum + growth(one), 0)
}

/** How many more fragments a document has than the one it replaces. */
const growth = ({ version, fragmentCount }: Replacement): number =>
  Math.max(0, version.fragments.length - fragmentCount)

const rowsOf = (documents: Document[]): number =>
  documents.reduce((sum, { fragments }) => sum + fragments.length, 0)

const firstVersions = (documents: Document[], now: string): DocumentVersion[] =>
  documents.map((document) => ({ ...document, createdAt: now, updatedAt: now }))
