import type { Table } from '@lancedb/lancedb'
import type { Deadline } from '../../process/deadline.ts'
import type { Database } from '../database/database.ts'
import { Overtaken } from '../lance/faults.ts'
import type { Filter } from '../lance/filter.ts'
import type { RecentRows } from './recent-rows.ts'
import type { OpenTable } from '../table/open-table.ts'
import { type Commit, type Write, WriteQueue } from '../table/write-queue.ts'
import type { IndexKeeper } from '../table/index-keeper.ts'
import { TableWriter } from '../table/table-writer.ts'
import {
  deletedBy,
  documentsOf,
  infosOf,
  type Document,
  type DatasourceInfo,
  type StoredDocument,
  BatchDigests,
} from './documents.ts'
import {
  applyChange,
  type Change,
  countFragments,
  countGone,
  deleteEmptied,
  finishReplacing,
  leavesEmptied,
  type Others,
  withoutDeletes,
} from './fragment-change.ts'
import {
  adding,
  addingOnce,
  askingForDigest,
  type Check,
  type FragmentWrite,
  inOrder,
  type Plan,
  type Put,
  putting,
  removing,
  removingAll,
  replacing,
} from './write-plans.ts'

/** Rethrows the failure of a write as its cause. */
type Guard = (write: Promise<void>) => Promise<void>

type WriteParts = { database: Database; indexes: IndexKeeper; recent: RecentRows; guard: Guard }

export class FragmentWrites {
  readonly writer: TableWriter<FragmentWrite & Write>
  readonly #table: OpenTable
  readonly #recent: RecentRows
  readonly #digests: BatchDigests

  constructor(table: OpenTable, { database, indexes, recent, guard }: WriteParts) {
    this.#table = table
    this.#recent = recent
    this.#digests = new BatchDigests(table)
    const commit = inOrder(this.#write.bind(this))
    const guarded: Commit<FragmentWrite & Write> = (...group) => guard(commit(...group))
    const queue = new WriteQueue(guarded, table)
    this.writer = new TableWriter(table, queue, database.upkeepOf(table, queue, indexes))
  }

  async start(): Promise<void> {
    await finishReplacing(this.#table)
    await this.writer.start('updated_at')
  }

  add(documents: Document[], deadline: Deadline): Promise<void> {
    return this.#enqueue(adding(documents), deadline)
  }

  /** Adds a batch unless it is there. @returns the digest that is stored: its own, or another's */
  addOnce(documents: Document[], deadline: Deadline): Promise<string | undefined> {
    return this.#enqueue(addingOnce(documents, this.#table.volume.isShared), deadline)
  }

  digestOf(batch: string): Promise<string | undefined> {
    return this.#enqueue(askingForDigest(batch))
  }

  /** `replacementOf` gets the newest version; undefined changes nothing. @returns whether the document exists */
  replace(
    id: string,
    replacementOf: (current: DatasourceInfo) => Document | undefined,
    fragmentCount: number,
    deadline: Deadline,
  ): Promise<boolean> {
    return this.#enqueue(replacing(id, replacementOf, fragmentCount), deadline)
  }

  /** Adds documents, or replaces those of their ids, all or none. @throws what `check` throws */
  async put(documents: Document[], check: Check, deadline: Deadline): Promise<Put[]> {
    const { isShared } = this.#table.volume
    // While the queue is on hold, documents that are new need not wait.
    const ids = documents.map(({ id }) => id)
    const areNew = async () => (await infosOf(this.#table, ids)).size === 0
    const rewrites = isShared || !this.writer.isOnHold || !(await areNew())
    return this.#enqueue({ ...putting(documents, check, isShared), rewrites }, deadline)
  }

  /** Deletes a document and returns its last state, if there is one. @throws what `check` throws */
  remove(
    id: string,
    deadline: Deadline,
    check: Check = () => undefined,
  ): Promise<StoredDocument | undefined> {
    return this.#enqueue(removing(id, check), deadline)
  }

  removeAll(where: Filter, deadline: Deadline): Promise<number> {
    return this.#enqueue(removingAll(where), deadline)
  }

  async refuse(reason: () => Error): Promise<void> {
    await this.writer.refuse(reason)
    this.#recent.forget()
    await this.#table.close()
  }

  async #enqueue<Outcome>(plan: Plan<Outcome>, deadline?: Deadline): Promise<Outcome> {
    const { documents = [], removes = [], batch = [], where = [] } = plan
    const touches = [documents, removes, batch].flat()
    const rewrites = plan.rewrites ?? [documents, removes, where].flat().length > 0
    let done: { outcome: Outcome } | undefined
    const write: FragmentWrite & Write = {
      ...plan,
      rewrites,
      touches,
      change: (current, stamp) => (done = plan.change(current, stamp, done?.outcome)),
      // Otherwise a write of another server in the same millisecond would count as this one.
      overtaken: () => (done = plan.documents ? undefined : done),
    }
    await this.writer.write(write, deadline)
    return done!.outcome
  }

  async #write(writes: FragmentWrite[], isRetry: boolean): Promise<void> {
    await this.#table.catchUp()
    const { isShared: mayHaveReplaced } = this.#table.volume
    const others: Others = { mayHaveAdded: isRetry, mayHaveReplaced }
    const [deleted, rest] = withoutDeletes(await this.#changeOf(writes))
    await this.#commit(deleted, others)
      .then(() => this.#commit(rest, others))
      .catch((error: unknown) => {
        if (error instanceof Overtaken) for (const { overtaken } of writes) overtaken?.()
        throw error
      })
    await this.#table.sync()
  }

  async #changeOf(writes: FragmentWrite[]): Promise<Change> {
    const ids = writes.flatMap(({ documents }) => documents ?? [])
    const removes = writes.flatMap((write) => write.removes ?? [])
    const batches = writes.flatMap(({ batch }) => batch ?? [])
    const [infos, removed, digests, matching] = await Promise.all([
      infosOf(this.#table, ids),
      documentsOf(this.#table, removes),
      this.#digests.find(batches),
      Promise.all(writes.map(async ({ where }) => (where ? deletedBy(this.#table, where) : []))),
    ])
    const taken = new Set<string>()
    const changes = writes.map(({ removes: gone = '', batch = '', change }, index) => {
      const others = matching[index]!.filter(({ id }) => !taken.has(id))
      for (const { id } of others) taken.add(id)
      const current = { infos, removed: removed.get(gone), digest: digests.get(batch) }
      return change({ ...current, matching: others }, this.writer.stamp)
    })
    return {
      written: changes.flatMap(({ written = [] }) => written),
      gone: changes.flatMap(({ gone = [] }) => gone),
    }
  }

  async #commit(change: Change, others: Others): Promise<void> {
    const [written, gone] = [countFragments(change.written), countGone(change.gone)]
    // A write that changes nothing makes no commit.
    if (written + gone === 0) return
    if (written > 0) await this.writer.checkRoom()
    const write = (table: Table) => applyChange(table, change, others)
    const options = { gone, isSmall: written === 0 }
    await this.#recent.write(change, () => this.writer.commit(written, write, options))
    if (leavesEmptied(change, others)) {
      const deleted = this.writer.commit(0, deleteEmptied, { leavesFile: false, isSmall: true })
      // The new version is stored. Another shorter one, or a start, deletes what this could not.
      await deleted.catch(() => undefined)
    }
  }
}
