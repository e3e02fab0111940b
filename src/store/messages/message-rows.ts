import { Field, Int32, Schema, Utf8 } from 'apache-arrow'
import { primaryKey } from '../lance/schema.ts'
import { isInstant } from '../records/record-check.ts'

export type Role = 'user' | 'assistant'

/** A message as it is stored: a conversation is its messages, in the order of their creation. */
export type StoredMessage = {
  id: string
  workspace: string
  agentId: string
  conversationId: string
  visitorId: string
  /** From 0. Messages of turns that were asked at once may have the same. */
  position: number
  role: Role
  content: string
  /** JSON of what only answers have; "" for questions. */
  details: string
  createdAt: string
}

export type NewMessage = Omit<StoredMessage, 'createdAt'>

export type MessageRow = {
  id: string
  workspace: string
  agent_id: string
  conversation_id: string
  visitor_id: string
  position: number
  role: string
  content: string
  details: string
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

export const toMessageRow = (message: NewMessage, createdAt: string): MessageRow => ({
  id: message.id,
  workspace: message.workspace,
  agent_id: message.agentId,
  conversation_id: message.conversationId,
  visitor_id: message.visitorId,
  position: message.position,
  role: message.role,
  content: message.content,
  details: message.details,
  created_at: createdAt,
})

export const fromMessageRow = (row: MessageRow): StoredMessage => ({
  id: row.id,
  workspace: row.workspace,
  agentId: row.agent_id,
  conversationId: row.conversation_id,
  visitorId: row.visitor_id,
  position: row.position,
  role: row.role === 'user' ? 'user' : 'assistant',
  content: row.content,
  details: row.details,
  createdAt: row.created_at,
})

/** Whether a message that was read is undamaged. */
export function isWholeMessage({ role, details, created_at: createdAt }: MessageRow): boolean {
  try {
    if (details !== '') JSON.parse(details)
  } catch {
    return false
  }
  return ['user', 'assistant'].includes(role) && isInstant(createdAt)
}
