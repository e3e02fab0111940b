import type { Table } from '@lancedb/lancedb'
import type { Deadline } from '../../scheduling/deadline.ts'
import { BatchDigests } from './batch-digests.ts'
import type { Database } from '../database.ts'
import { documentsOf } from './documents.ts'
import { applyChange, type Change, goneRowsOf, rowsOf, versionsOf } from './fragment-change.ts'
import type { OpenTable } from '../table/open-table.ts'
import {
  type Document,
  type DocumentHead,
  type DocumentVersion,
  type StoredDocument,
} from './rows.ts'
import type { IndexKeeper } from '../upkeep/index-keeper.ts'
import type { Upkeep } from '../upkeep/upkeep.ts'
import { type Stamp, type Write, WriteQueue } from '../table/write-queue.ts'

type FragmentWrite = {
  /** The id of the document, or what the ids of the batch start with, that it depends on. */
  document?: string
  batch?: string
  rows: number
  change: (current: Current, stamp: Stamp) => Partial<Change>
  /** Told of the digest of the batch that another process added at the same time. */
  cameSecond?: (digest: string | undefined) => void
}

/** What is there of what a write depends on. */
type Current = { document: StoredDocument | undefined; digest: string | undefined }

/** What reading a document to be deleted is taken to cost: most are small, and few have 500 fragments. */
const readRows = 32

/** The writes to a datastore's documents: whatever waits goes into one commit. */
export class FragmentWrites {
  readonly #table: OpenTable
  readonly #digests: BatchDigests
  readonly #queue: WriteQueue<FragmentWrite & Write>
  readonly #upkeep: Upkeep

  constructor(table: OpenTable, database: Database, indexes: IndexKeeper) {
    this.#table = table
    this.#digests = new BatchDigests(table)
    this.#queue = new WriteQueue((writes, stamp, isRetry) => this.#write(writes, stamp, isRetry))
    this.#upkeep = database.upkeepOf(table, this.#queue, indexes)
  }

  /** Begins to keep the table quick and small beside its writes; to be awaited before the first. */
  async start(): Promise<void> {
    const newest = await newestStamp(this.#table)
    if (newest !== undefined) this.#queue.stampAfter(newest)
    await this.#upkeep.start()
  }

  /** Adds new documents, all or none. */
  add(documents: Document[], deadline: Deadline): Promise<void> {
    const change: FragmentWrite['change'] = (_, stamp) => ({
      added: firstVersions(documents, stamp()),
    })
    return this.#run({ rows: rowsOf(documents), change }, deadline)
  }

  /**
   * Adds documents of one batch, all or none, unless one of that batch is there.
   * @returns the digest of those that are there now: these, or the ones that came first
   */
  async addOnce(documents: Document[], deadline: Deadline): Promise<string | undefined> {
    const { batch } = documents[0]!
    const digest = documents[0]!.digest ?? undefined
    let found: string | undefined
    const change: FragmentWrite['change'] = (current, stamp) => {
      found = current.digest ?? digest
      return current.digest === undefined ? { added: firstVersions(documents, stamp()) } : {}
    }
    const cameSecond = (first: string | undefined) => (found = first)
    await this.#run({ batch, rows: rowsOf(documents), change, cameSecond }, deadline)
    return found
  }

  /** The digest of the documents of a batch, undefined when none of them is stored for good. */
  async digestOf(batch: string): Promise<string | undefined> {
    let found: string | undefined
    const change: FragmentWrite['change'] = ({ digest }) => {
      found = digest
      return {}
    }
    await this.#run({ batch, rows: 0, change })
    return found
  }

  /**
   * Puts another document in the place of the one of that id. It is made from what is there when
   * its turn comes, so that no write between is lost.
   * @returns false when there is none
   */
  async replace(
    id: string,
    replacementOf: (current: DocumentHead) => Document,
    fragmentCount: number,
    deadline: Deadline,
  ): Promise<boolean> {
    let found = false
    const change: FragmentWrite['change'] = ({ document }, stamp) => {
      found = document !== undefined
      if (!document) return {}
      const { createdAt, fragmentCount: before } = document.head
      const version = { ...replacementOf(document.head), createdAt, updatedAt: stamp() }
      return { replaced: [{ version, fragmentCount: before }] }
    }
    await this.#run({ document: id, rows: fragmentCount, change }, deadline)
    return found
  }

  /** Deletes the document of that id and returns it as it was, or undefined when there is none. */
  async remove(id: string, deadline: Deadline): Promise<StoredDocument | undefined> {
    let removed: StoredDocument | undefined
    const change: FragmentWrite['change'] = ({ document }) => {
      // A second try finds nothing where the first was done though it failed.
      removed = document ?? removed
      return document ? { removed: [{ id, fragmentCount: document.head.fragmentCount }] } : {}
    }
    await this.#run({ document: id, rows: readRows, change }, deadline)
    return removed
  }

  /** Lets running writes finish and refuses all others with the error `reason` makes. */
  async refuse(reason: () => Error): Promise<void> {
    const stopped = this.#upkeep.stopWhole()
    this.#queue.close(reason)
    await this.#queue.idle()
    await stopped
    await this.#table.close()
  }

  /** Settles when nothing is left to write. */
  async idle(): Promise<void> {
    await this.#upkeep.stop()
    await this.#queue.idle()
  }

  #run(write: FragmentWrite, deadline?: Deadline): Promise<void> {
    const touches = write.document ?? write.batch
    const rewrites = write.document !== undefined
    return this.#queue.write(
      { ...write, rewrites, ...(touches !== undefined && { touches }) },
      deadline,
    )
  }

  async #write(writes: FragmentWrite[], stamp: Stamp, isRetry: boolean): Promise<void> {
    const batches = writes.flatMap(({ batch }) => batch ?? [])
    const [documents, digests] = await Promise.all([
      documentsOf(
        this.#table,
        writes.flatMap(({ document }) => document ?? []),
      ),
      this.#digests.of(batches),
    ])
    const changes = writes.map(({ document = '', batch = '', change }) =>
      change({ document: documents.get(document), digest: digests.get(batch) }, stamp),
    )
    const change: Change = {
      added: changes.flatMap(({ added = [] }) => added),
      replaced: changes.flatMap(({ replaced = [] }) => replaced),
      removed: changes.flatMap(({ removed = [] }) => removed),
    }
    const mayBeThere = isRetry || (this.#table.isShared && batches.length > 0)
    const isComplete = await this.#commit(change, mayBeThere)
    await this.#table.sync()
    if (isComplete) return
    const first = await this.#digests.of(batches)
    for (const { batch = '', cameSecond } of writes) cameSecond?.(first.get(batch))
  }

  /**
   * @param mayBeThere whether some of what is added may be in the table, and is to stay as it is there
   * @returns whether all of it came in
   * @throws StorageFull
   */
  async #commit(change: Change, mayBeThere: boolean): Promise<boolean> {
    const written = rowsOf(versionsOf(change))
    if (written > 0) await this.#upkeep.checkRoom()
    const write = (table: Table) => applyChange(table, change, mayBeThere)
    try {
      return await this.#table.commit(written, write, goneRowsOf(change))
    } finally {
      // A commit that fails may be done all the same.
      this.#upkeep.committed(written)
    }
  }
}

const firstVersions = (documents: Document[], now: string): DocumentVersion[] =>
  documents.map((document) => ({ ...document, createdAt: now, updatedAt: now }))

/** When the newest row was written; nothing that comes later has the same time or an earlier one. */
async function newestStamp(table: OpenTable): Promise<string | undefined> {
  const [row] = await table.readAll<{ updated_at: string }>((query) =>
    query.orderBy({ columnName: 'updated_at', ascending: false }).select(['updated_at']).limit(1),
  )
  return row?.updated_at
}
