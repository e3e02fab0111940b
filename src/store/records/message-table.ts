import type { Table } from '@lancedb/lancedb'
import { Field, Int32, Schema, Utf8 } from 'apache-arrow'
import type { Deadline } from '../../process/deadline.ts'
import type { Database } from '../database/database.ts'
import { primaryKey } from '../lance/columns.ts'
import { and, equal, oneOf } from '../lance/filter.ts'
import type { OpenTable } from '../table/open-table.ts'
import { type Write, WriteQueue } from '../table/write-queue.ts'
import { type Stamp, TableWriter } from '../table/table-writer.ts'
import { isInstant } from './record-rows.ts'

type MessageRole = 'user' | 'assistant'

/** A stored message. A conversation is its messages in the order of their creation. */
export type StoredMessage = {
  id: string
  workspace: string
  agentId: string
  conversationId: string
  visitorId: string
  /** From 0. Turns that were asked at once may share a position. */
  position: number
  role: MessageRole
  content: string
  /** JSON of the members that only answers have; "" for questions. */
  details: string
  createdAt: string
}

export type NewMessage = Omit<StoredMessage, 'createdAt'>

type Renamed = 'agentId' | 'conversationId' | 'visitorId' | 'createdAt'

export type MessageRow = Omit<StoredMessage, Renamed> & {
  agent_id: string
  conversation_id: string
  visitor_id: string
  created_at: string
}

const text = (name: string): Field => new Field(name, new Utf8(), false)

export const messageSchema = new Schema([
  primaryKey('id'),
  text('workspace'),
  text('agent_id'),
  text('conversation_id'),
  text('visitor_id'),
  new Field('position', new Int32(), false),
  text('role'),
  text('content'),
  text('details'),
  text('created_at'),
])

const toMessageRow = (
  { agentId, conversationId, visitorId, ...others }: NewMessage,
  createdAt: string,
): MessageRow => ({
  ...others,
  agent_id: agentId,
  conversation_id: conversationId,
  visitor_id: visitorId,
  created_at: createdAt,
})

export const fromMessageRow = ({
  agent_id: agentId,
  conversation_id: conversationId,
  visitor_id: visitorId,
  created_at: createdAt,
  ...others
}: MessageRow): StoredMessage => ({ ...others, agentId, conversationId, visitorId, createdAt })

export function isValidMessage({ role, details, created_at: createdAt }: MessageRow): boolean {
  try {
    if (details !== '') JSON.parse(details)
  } catch {
    return false
  }
  return ['user', 'assistant'].includes(role) && isInstant(createdAt)
}

type Turn = { messages: NewMessage[]; rows?: MessageRow[]; refused: () => void }

type Find = () => Promise<string[]>

type MessageWrite = Write & { turn?: Turn; gone?: () => Promise<void> }

/** The writes to the table of messages. The turns that wait share one commit. */
export class MessageWrites {
  readonly writer: TableWriter<MessageWrite>
  readonly #table: OpenTable

  constructor(table: OpenTable, database: Database) {
    this.#table = table
    const queue = new WriteQueue<MessageWrite>((...group) => this.#write(...group), table)
    this.writer = new TableWriter(table, queue, database.upkeepOf(table, queue))
  }

  async append(messages: NewMessage[], deadline?: Deadline): Promise<boolean> {
    let isThere = true
    const turn = { messages, refused: () => (isThere = false) }
    await this.writer.write({ rows: messages.length, turn }, deadline)
    return isThere
  }

  async checkRoom(): Promise<void> {
    await this.#table.volume.checkWritable()
    await this.writer.checkRoom()
  }

  /** Deletes conversations and returns their number. `find` is asked when no other write runs. */
  async remove(find: Find, deadline?: Deadline): Promise<number> {
    let count = 0
    const gone = async () => {
      const ids = await find()
      if (ids.length > 0) await this.#removeAll(ids)
      count = ids.length
    }
    await this.writer.write({ rows: 1, rewrites: true, gone }, deadline)
    return count
  }

  async #removeAll(ids: string[]): Promise<void> {
    // Deletes by id, because LanceDB keeps the filter's text in the newest version.
    const where = oneOf('conversation_id', ids)
    const remove = (table: Table) => table.delete(where)
    await this.writer.commit(1, remove, { isSmall: true })
    if (!this.#table.volume.isShared) return
    // What another server appended meanwhile is not among the deleted rows.
    const left = await this.#table.read((table) => table.countRows(where))
    if (left > 0) await this.#removeAll(ids)
  }

  async #write(writes: MessageWrite[], isRetry: boolean): Promise<void> {
    const turns = await this.#possible(writes.flatMap(({ turn }) => turn ?? []))
    const rows = turns.flatMap((turn) => rowsOf(turn, this.writer.stamp))
    if (rows.length > 0) {
      await this.writer.checkRoom()
      await this.writer.commit(rows.length, (table) => add(table, rows, isRetry))
      if (this.#table.volume.isShared) await this.#takeBack(turns)
    }
    for (const { gone } of writes) await gone?.()
    await this.#table.sync()
  }

  /** Deletes turns whose conversation another server deleted before they were stored. */
  async #takeBack(turns: Turn[]): Promise<void> {
    const kept = new Set(await this.#possible(turns))
    const gone = turns.filter((turn) => !kept.has(turn))
    if (gone.length > 0) await this.#removeAll(gone.map(conversationOf))
  }

  /** Refuses the other turns: they continue a conversation whose first message is gone. */
  async #possible(turns: Turn[]): Promise<Turn[]> {
    const isFirst = ({ messages }: Turn) => messages[0]!.position === 0
    const asked = turns.filter((turn) => !isFirst(turn)).map(conversationOf)
    if (asked.length === 0) return turns
    const firsts = and(equal('position', 0), oneOf('conversation_id', asked))
    const there = await this.#table.readAll<{ conversation_id: string }>((query) =>
      query.where(firsts).select(['conversation_id']),
    )
    const ids = new Set(there.map((row) => row.conversation_id))
    const isPossible = (turn: Turn) => isFirst(turn) || ids.has(conversationOf(turn))
    for (const turn of turns) if (!isPossible(turn)) turn.refused()
    return turns.filter(isPossible)
  }
}

/** A second try writes the same rows as the first. */
const rowsOf = (turn: Turn, stamp: Stamp): MessageRow[] =>
  (turn.rows ??= turn.messages.map((message) => toMessageRow(message, stamp())))

const conversationOf = ({ messages }: Turn): string => messages[0]!.conversationId

async function add(table: Table, rows: MessageRow[], mayBeThere: boolean): Promise<void> {
  if (mayBeThere) await table.mergeInsert('id').whenNotMatchedInsertAll().execute(rows)
  else await table.add(rows)
}
