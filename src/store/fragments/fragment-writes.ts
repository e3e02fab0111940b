import type { Table } from '@lancedb/lancedb'
import type { Deadline } from '../../scheduling/deadline.ts'
import type { Database } from '../database.ts'
import type { OpenTable } from '../table/open-table.ts'
import type { Stamp } from '../table/stamp-clock.ts'
import { type Write, WriteQueue } from '../table/write-queue.ts'
import type { IndexKeeper } from '../upkeep/index-keeper.ts'
import type { Upkeep } from '../upkeep/upkeep.ts'
import { BatchDigests } from './batch-digests.ts'
import { documentsOf } from './documents.ts'
import { applyChange, type Change, countFragments, countGone } from './fragment-change.ts'
import type { Document, DocumentHead, DocumentVersion, StoredDocument } from './rows.ts'

type FragmentWrite = {
  document?: string
  batch?: string
  rows: number
  change: (current: Current, stamp: Stamp) => Partial<Change>
  /** Given the digest of the batch that another process added first. */
  cameSecond?: (digest: string | undefined) => void
}

type Current = { document: StoredDocument | undefined; digest: string | undefined }

/** An estimate: how many fragments a delete reads is not known yet. */
const rowsOfDelete = 32

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

  async start(): Promise<void> {
    const newest = await newestStamp(this.#table)
    if (newest !== undefined) this.#queue.stampAfter(newest)
    await this.#upkeep.start()
  }

  add(documents: Document[], deadline: Deadline): Promise<void> {
    const change: FragmentWrite['change'] = (_, stamp) => ({
      written: firstVersions(documents, stamp()),
    })
    return this.#enqueue({ rows: countFragments(documents), change }, deadline)
  }

  /** Adds a batch unless it is there. @returns the digest that is stored */
  async addOnce(documents: Document[], deadline: Deadline): Promise<string | undefined> {
    const { batch, digest } = documents[0]!
    let stored: string | undefined
    const change: FragmentWrite['change'] = (current, stamp) => {
      stored = current.digest ?? digest ?? undefined
      return current.digest === undefined ? { written: firstVersions(documents, stamp()) } : {}
    }
    const cameSecond = (first: string | undefined) => (stored = first)
    await this.#enqueue({ batch, rows: countFragments(documents), change, cameSecond }, deadline)
    return stored
  }

  async digestOf(batch: string): Promise<string | undefined> {
    let stored: string | undefined
    const change: FragmentWrite['change'] = ({ digest }) => {
      stored = digest
      return {}
    }
    await this.#enqueue({ batch, rows: 0, change })
    return stored
  }

  /**
   * `replacementOf` gets the newest version, so that no write between is lost; undefined changes nothing.
   * @returns whether there is such a document
   */
  async replace(
    id: string,
    replacementOf: (current: DocumentHead) => Document | undefined,
    fragmentCount: number,
    deadline: Deadline,
  ): Promise<boolean> {
    let isFound = false
    const change: FragmentWrite['change'] = ({ document }, stamp) => {
      isFound = document !== undefined
      if (!document) return {}
      const { head } = document
      const replacement = replacementOf(head)
      if (!replacement) return {}
      const times = { createdAt: head.createdAt, updatedAt: stamp() }
      return { written: [{ ...replacement, ...times }], gone: [head] }
    }
    await this.#enqueue({ document: id, rows: fragmentCount, change }, deadline)
    return isFound
  }

  /** Writes a document over the version that it was made of, and leaves any other as it is. */
  rewrite(document: DocumentVersion): Promise<void> {
    const { id, updatedAt, fragments } = document
    const change: FragmentWrite['change'] = ({ document: current }) =>
      current?.head.updatedAt === updatedAt ? { written: [document], gone: [current.head] } : {}
    return this.#enqueue({ document: id, rows: fragments.length, change })
  }

  /** Deletes a document and returns it as it was, or undefined when there is none. */
  async remove(id: string, deadline: Deadline): Promise<StoredDocument | undefined> {
    let removed: StoredDocument | undefined
    const change: FragmentWrite['change'] = ({ document }) => {
      // A retry finds nothing where the failed commit was done.
      removed = document ?? removed
      return document ? { gone: [document.head] } : {}
    }
    await this.#enqueue({ document: id, rows: rowsOfDelete, change }, deadline)
    return removed
  }

  /** Lets running writes finish and refuses all others with the error `reason` makes. */
  async refuse(reason: () => Error): Promise<void> {
    const stopped = this.#upkeep.finish()
    this.#queue.close(reason)
    await this.#queue.idle()
    await stopped
    await this.#table.close()
  }

  async idle(): Promise<void> {
    await this.#upkeep.stop()
    await this.#queue.idle()
  }

  #enqueue(write: FragmentWrite, deadline?: Deadline): Promise<void> {
    const touches = write.document ?? write.batch
    const rewrites = write.document !== undefined
    return this.#queue.write(
      { ...write, rewrites, ...(touches !== undefined && { touches }) },
      deadline,
    )
  }

  async #write(writes: FragmentWrite[], stamp: Stamp, isRetry: boolean): Promise<void> {
    const ids = writes.flatMap(({ document }) => document ?? [])
    const batches = writes.flatMap(({ batch }) => batch ?? [])
    const [documents, digests] = await Promise.all([
      documentsOf(this.#table, ids),
      this.#digests.find(batches),
    ])
    const changes = writes.map(({ document = '', batch = '', change }) =>
      change({ document: documents.get(document), digest: digests.get(batch) }, stamp),
    )
    const change: Change = {
      written: changes.flatMap(({ written = [] }) => written),
      gone: changes.flatMap(({ gone = [] }) => gone),
    }
    const mayBeThere = isRetry || (this.#table.isShared && batches.length > 0)
    const isComplete = await this.#commit(change, mayBeThere)
    await this.#table.sync()
    if (isComplete) return
    const first = await this.#digests.find(batches)
    for (const { batch = '', cameSecond } of writes) cameSecond?.(first.get(batch))
  }

  async #commit(change: Change, mayBeThere: boolean): Promise<boolean> {
    const [written, gone] = [countFragments(change.written), countGone(change)]
    // A question makes no version and no file.
    if (written + gone === 0) return true
    if (written > 0) await this.#upkeep.checkRoom()
    const write = (table: Table) => applyChange(table, change, mayBeThere)
    try {
      return await this.#table.commit(written, write, gone)
    } finally {
      // A failed commit may be done all the same.
      this.#upkeep.committed(written)
    }
  }
}

const firstVersions = (documents: Document[], now: string): DocumentVersion[] =>
  documents.map((document) => ({ ...document, createdAt: now, updatedAt: now }))

async function newestStamp(table: OpenTable): Promise<string | undefined> {
  const [row] = await table.readAll<{ updated_at: string }>((query) =>
    query.orderBy({ columnName: 'updated_at', ascending: false }).select(['updated_at']).limit(1),
  )
  return row?.updated_at
}
