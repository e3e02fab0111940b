import type { Table } from '@lancedb/lancedb'
import type { Deadline } from '../deadline.ts'
import { type Change, rowsOf } from './fragment-change.ts'
import { FragmentCommits } from './fragment-commits.ts'
import { fragmentIndexes, newestStamp } from './fragment-indexes.ts'
import type { FreshRows } from './fresh-rows.ts'
import type { OpenTable } from './open-table.ts'
import {
  type Document,
  type DocumentHead,
  type DocumentVersion,
  type StoredDocument,
} from './rows.ts'
import type { WordKeeper } from './word-keeper.ts'
import { type Stamp, type Write, WriteQueue } from './write-queue.ts'

/** What the writes need to see of the table; `follow` as in `Writers`. */
export type WritesView = {
  documents: (ids: string[]) => Promise<ReadonlyMap<string, StoredDocument>>
  digests: (batches: string[]) => Promise<ReadonlyMap<string, string>>
  follow: (lance: Table) => Promise<void>
}

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
  readonly #view: WritesView
  readonly #fresh: FreshRows
  readonly #commits: FragmentCommits
  readonly #queue: WriteQueue<FragmentWrite & Write>

  constructor(table: OpenTable, view: WritesView, keeper: WordKeeper, fresh: FreshRows) {
    this.#table = table
    this.#view = view
    this.#fresh = fresh
    this.#commits = new FragmentCommits(table, keeper, fresh)
    this.#queue = new WriteQueue((writes, stamp, isRetry) => this.#write(writes, stamp, isRetry))
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

  /** Runs `begin` at a moment when no write is under way. */
  between(begin: () => Promise<void>): Promise<void> {
    return this.#queue.between(begin)
  }

  /**
   * Has the table kept quick and small beside these writes.
   * @param areWordsNew as in `Writers`
   */
  async maintain(areWordsNew: boolean): Promise<void> {
    const newest = await this.#table.read(newestStamp)
    if (newest !== undefined) this.#queue.stampAfter(newest)
    await this.#table.maintain({
      hold: () => this.#queue.hold(),
      isAwaited: () => this.#queue.isHeldUp,
      release: () => this.#queue.release(),
      indexes: fragmentIndexes,
      areWordsNew,
      // What others write comes by no way of ours, and is stamped by their clocks.
      ...(!this.#table.isShared && { fresh: this.#fresh, follow: this.#view.follow }),
    })
  }

  /** Lets running writes finish and refuses all others with the error `reason` makes. */
  async refuse(reason: () => Error): Promise<void> {
    this.#queue.close(reason)
    await this.#queue.idle()
    await this.#table.close()
    this.#fresh.forget()
  }

  /** Settles when nothing is left to write. */
  async idle(): Promise<void> {
    await this.#table.stop()
    await this.#queue.idle()
  }

  #run(write: FragmentWrite, deadline?: Deadline): Promise<void> {
    const touches = write.document ?? write.batch
    const rewrites = write.document !== undefined
    return this.#queue.run(
      { ...write, rewrites, ...(touches !== undefined && { touches }) },
      deadline,
    )
  }

  async #write(writes: FragmentWrite[], stamp: Stamp, isRetry: boolean): Promise<void> {
    const batches = writes.flatMap(({ batch }) => batch ?? [])
    const [documents, digests] = await Promise.all([
      this.#view.documents(writes.flatMap(({ document }) => document ?? [])),
      this.#view.digests(batches),
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
    const isComplete = await this.#commits.make(change, mayBeThere)
    await this.#table.sync()
    if (isComplete) return
    const first = await this.#view.digests(batches)
    for (const { batch = '', cameSecond } of writes) cameSecond?.(first.get(batch))
  }
}

const firstVersions = (documents: Document[], now: string): DocumentVersion[] =>
  documents.map((document) => ({ ...document, createdAt: now, updatedAt: now }))
