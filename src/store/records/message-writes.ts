import type { Table } from '@lancedb/lancedb'
import type { Deadline } from '../../scheduling/deadline.ts'
import type { Database } from '../database/database.ts'
import { type Filter, oneOf } from '../lance/filter.ts'
import { newestStamp, type Stamp } from '../table/stamp-clock.ts'
import type { OpenTable } from '../table/open-table.ts'
import { type Write, WriteQueue } from '../table/write-queue.ts'
import type { Upkeep } from '../table/upkeep.ts'
import { type MessageRow, type NewMessage, toMessageRow } from './message-rows.ts'

type Turn = { messages: NewMessage[]; rows?: MessageRow[]; refused: () => void }

type Find = () => Promise<string[]>

type MessageWrite = Write & { turn?: Turn; gone?: () => Promise<void> }

/** The writes to the table of messages. The turns that wait share one commit. */
export class MessageWrites {
  readonly #table: OpenTable
  readonly #queue: WriteQueue<MessageWrite>
  readonly #upkeep: Upkeep

  constructor(table: OpenTable, database: Database) {
    this.#table = table
    this.#queue = new WriteQueue(
      (writes, stamp, isRetry) => this.#write(writes, stamp, isRetry),
      table,
    )
    this.#upkeep = database.upkeepOf(table, this.#queue)
  }

  async start(): Promise<void> {
    this.#queue.stampAfter(await newestStamp(this.#table, 'created_at'))
    await this.#upkeep.start()
  }

  async append(messages: NewMessage[], deadline?: Deadline): Promise<boolean> {
    let isThere = true
    const turn = { messages, refused: () => (isThere = false) }
    await this.#queue.write({ rows: messages.length, turn }, deadline)
    return isThere
  }

  async checkRoom(): Promise<void> {
    await this.#table.volume.checkWritable()
    await this.#upkeep.checkRoom()
  }

  /** Deletes conversations and returns their number. `find` is asked when no other write runs. */
  async remove(find: Find, deadline?: Deadline): Promise<number> {
    let count = 0
    const gone = async () => {
      const ids = await find()
      // Deletes by id, because LanceDB keeps the filter's text in the newest version.
      const where = oneOf('conversation_id', ids)
      if (ids.length > 0) await this.#delete(where)
      count = ids.length
    }
    await this.#queue.write({ rows: 1, rewrites: true, gone }, deadline)
    return count
  }

  erase(): Promise<void> {
    return this.#upkeep.erase()
  }

  async idle(): Promise<void> {
    await this.#upkeep.stop()
    await this.#queue.idle()
  }

  async #write(writes: MessageWrite[], stamp: Stamp, isRetry: boolean): Promise<void> {
    const turns = await this.#possible(writes.flatMap(({ turn }) => turn ?? []))
    const rows = turns.flatMap((turn) => {
      // A second try has to write the same rows as the first.
      turn.rows ??= turn.messages.map((message) => toMessageRow(message, stamp()))
      return turn.rows
    })
    if (rows.length > 0) {
      await this.#upkeep.checkRoom()
      const { length } = rows
      await this.#committed(
        length,
        this.#table.commit(length, (table) => add(table, rows, isRetry)),
      )
    }
    for (const { gone } of writes) await gone?.()
    await this.#table.sync()
  }

  async #possible(turns: Turn[]): Promise<Turn[]> {
    const idOf = ({ messages }: Turn) => messages[0]!.conversationId
    const isFirst = ({ messages }: Turn) => messages[0]!.position === 0
    const asked = turns.filter((turn) => !isFirst(turn)).map(idOf)
    if (asked.length === 0) return turns
    const there = await this.#table.readAll<{ conversation_id: string }>((query) =>
      query.where(oneOf('conversation_id', asked)).select(['conversation_id']),
    )
    const ids = new Set(there.map((row) => row.conversation_id))
    const isPossible = (turn: Turn) => isFirst(turn) || ids.has(idOf(turn))
    for (const turn of turns) if (!isPossible(turn)) turn.refused()
    return turns.filter(isPossible)
  }

  #delete(where: Filter): Promise<void> {
    return this.#committed(
      1,
      this.#table.commitSmall(1, (table) => table.delete(where)),
    )
  }

  async #committed(rows: number, commit: Promise<unknown>): Promise<void> {
    try {
      await commit
    } finally {
      // A failed commit may be done anyway.
      this.#upkeep.committed(rows)
    }
  }
}

async function add(table: Table, rows: MessageRow[], mayBeThere: boolean): Promise<void> {
  if (mayBeThere) await table.mergeInsert('id').whenNotMatchedInsertAll().execute(rows)
  else await table.add(rows)
}
