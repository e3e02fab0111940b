import type { Deadline } from '../../process/deadline.ts'
import type { Database } from '../database/database.ts'
import { damaged } from '../disk/damage.ts'
import { messageOf } from '../lance/faults.ts'
import { and, before, below, equal, type Filter, oneOf, type PageCursor } from '../lance/filter.ts'
import type { OpenTable } from '../table/open-table.ts'
import {
  fromMessageRow,
  type MessageRow,
  messageSchema,
  MessageWrites,
  type NewMessage,
  type StoredMessage,
} from './message-table.ts'

export type Extent = { messageCount: number; createdAt: string; updatedAt: string }

type Opened = { table: OpenTable; writes: MessageWrites }

export const messagesTable = 'messages'

export class Messages {
  readonly #state: Opened | Error

  private constructor(state: Opened | Error) {
    this.#state = state
  }

  /** Opens the table, or makes it. @throws StartupError if it is damaged */
  static async open(database: Database): Promise<Messages> {
    const table = await database.ensureTable(messagesTable, messageSchema)
    const writes = new MessageWrites(table, database)
    await writes.writer.start('created_at').catch((cause: unknown) => {
      throw damaged(database.directory, messagesTable, messageOf(cause), cause)
    })
    return new Messages({ table, writes })
  }

  /** A table that cannot be used: every read and write fails with `why`. */
  static closed(this: void, why: Error): Messages {
    return new Messages(why)
  }

  get #opened(): Opened {
    if (this.#state instanceof Error) throw this.#state
    return this.#state
  }

  /** @throws StorageFull, Unavailable if a turn could not be stored now */
  async checkRoom(): Promise<void> {
    await this.#opened.writes.checkRoom()
  }

  /** Adds the messages of a turn durably. False if its conversation was deleted. */
  async append(turn: NewMessage[], deadline?: Deadline): Promise<boolean> {
    return this.#opened.writes.append(turn, deadline)
  }

  /** The newest `limit` messages of a conversation, oldest first. */
  async ofConversation(workspace: string, id: string, limit: number): Promise<StoredMessage[]> {
    const rows = await this.#newest(
      [equal('conversation_id', id), equal('workspace', workspace)],
      limit,
    )
    return rows.toReversed()
  }

  /** The first messages of an agent's conversations, newest first, from before `position`. */
  async firstOf(
    agentId: string,
    visitorId: string | undefined,
    limit: number,
    position?: PageCursor,
  ): Promise<StoredMessage[]> {
    const filters = [
      equal('agent_id', agentId),
      equal('position', 0),
      ...(visitorId === undefined ? [] : [equal('visitor_id', visitorId)]),
      ...(position ? [before('conversation_id', position)] : []),
    ]
    return this.#newest(filters, limit)
  }

  async extents(ids: string[]): Promise<Map<string, Extent>> {
    const rows = await this.#opened.table.readAll<MessageRow>((query) =>
      query.where(oneOf('conversation_id', ids)).select(['conversation_id', 'created_at']),
    )
    return extentsOf(rows)
  }

  async removeConversation(id: string, deadline?: Deadline): Promise<void> {
    await this.#opened.writes.remove(async () => [id], deadline)
  }

  async removeOfAgent(agentId: string): Promise<void> {
    await this.#opened.writes.remove(() => this.#conversations(equal('agent_id', agentId)))
  }

  async removeOfVisitor(agentId: string, visitorId: string, deadline: Deadline): Promise<number> {
    const where = and(equal('agent_id', agentId), equal('visitor_id', visitorId))
    return this.#opened.writes.remove(() => this.#conversations(where), deadline)
  }

  /** Deletes conversations whose last message is older, and returns their number. */
  async removeOlder(than: string): Promise<number> {
    const { table, writes } = this.#opened
    let [removed, kept, isLast] = [0, 0, false]
    while (!isLast) {
      const old = await table.readAll<ConversationRow>((query) => {
        const older = query.where(below('created_at', than)).select(['conversation_id'])
        return older.offset(kept).limit(maxRead)
      })
      if (old.length === 0) return removed
      let gone = new Set<string>()
      removed += await writes.remove(async () => {
        // A conversation that somebody has gone on with stays.
        gone = new Set(await this.#older(idsIn(old), than))
        return [...gone]
      })
      kept += old.filter((row) => !gone.has(row.conversation_id)).length
      isLast = old.length < maxRead
    }
    return removed
  }

  async #older(ids: string[], than: string): Promise<string[]> {
    const extents = [...(await this.extents(ids))]
    return extents.flatMap(([id, { updatedAt }]) => (updatedAt < than ? id : []))
  }

  async #conversations(where: Filter): Promise<string[]> {
    const rows = await this.#opened.table.readAll<ConversationRow>((query) =>
      query.where(where).select(['conversation_id']),
    )
    return idsIn(rows)
  }

  async erase(): Promise<void> {
    await this.#opened.writes.writer.erase()
  }

  async idle(): Promise<void> {
    if (!(this.#state instanceof Error)) await this.#state.writes.writer.idle()
  }

  async #newest(filters: Filter[], limit: number): Promise<StoredMessage[]> {
    const rows = await this.#opened.table.readAll<MessageRow>((query) =>
      query
        .where(and(...filters))
        .orderBy([
          { columnName: 'created_at', ascending: false },
          { columnName: 'conversation_id', ascending: false },
        ])
        .limit(limit),
    )
    return rows.map(fromMessageRow)
  }
}

type ConversationRow = Pick<MessageRow, 'conversation_id'>

const idsIn = (rows: ConversationRow[]): string[] => [
  ...new Set(rows.map((row) => row.conversation_id)),
]

const maxRead = 10_000

function extentsOf(rows: MessageRow[]): Map<string, Extent> {
  const extents = new Map<string, Extent>()
  for (const { conversation_id: id, created_at: createdAt } of rows) {
    const extent = extents.get(id) ?? { messageCount: 0, createdAt, updatedAt: createdAt }
    extents.set(id, {
      messageCount: extent.messageCount + 1,
      createdAt: createdAt < extent.createdAt ? createdAt : extent.createdAt,
      updatedAt: createdAt > extent.updatedAt ? createdAt : extent.updatedAt,
    })
  }
  return extents
}
