import { Field, Int32, Schema, Utf8 } from 'apache-arrow'
import { primaryKey } from '../lance/columns.ts'
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

export const toMessageRow = (
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
