import type {
  Conversation as ConversationWire,
  ConversationSummary,
  Message,
} from '../../generated/types.gen.ts'
import type { Conversation, ConversationInfo, Conversations } from '../domain/conversations.ts'
import { TimeSlice } from '../process/time-slice.ts'
import type { StoredMessage } from '../store/types.ts'
import type { Handlers } from './handler.ts'
import { fromCursor, nameOfList, toWirePage } from './paging.ts'

export const conversationHandlers = (conversations: Conversations) =>
  ({
    listConversations: async ({ path, query, caller }, reply) => {
      const { limit, cursor, ...filters } = query
      const list = nameOfList(`${path.id}/conversations`, filters)
      const position = fromCursor(cursor, list)
      const { workspace } = caller
      const page = await conversations.list(workspace, path.id, query.visitorId, limit, position)
      return reply(200, toWirePage(page, list, toSummary))
    },

    deleteConversations: async ({ path, query, caller, deadline }, reply) => {
      const { workspace } = caller
      const removed = conversations.removeOf(workspace, path.id, query.visitorId, deadline)
      return reply(200, { deleted: await removed })
    },

    getConversation: async ({ path, caller }, reply) =>
      reply(200, await toWire(await conversations.get(caller.workspace, path.id))),

    deleteConversation: async ({ path, caller, deadline }, reply) =>
      reply(200, await toWire(await conversations.remove(caller.workspace, path.id, deadline))),
  }) satisfies Partial<Handlers>

/** Yields to others, because a thousand answers may have 32 sources each. */
async function toWire(conversation: Conversation): Promise<ConversationWire> {
  const slice = new TimeSlice()
  const messages: Message[] = []
  for (const message of conversation.messages) {
    messages.push(toMessage(message))
    await slice.pause()
  }
  return { ...toSummary(conversation), messages }
}

const toSummary = (info: ConversationInfo): ConversationSummary => ({
  id: info.id,
  agentId: info.agentId,
  visitorId: info.visitorId,
  messageCount: info.messageCount,
  createdAt: info.createdAt,
  updatedAt: info.updatedAt,
})

function toMessage({ id, role, content, createdAt, details }: StoredMessage): Message {
  const common = { id, content, createdAt }
  return role === 'user' ? { ...common, role } : { ...common, role, ...JSON.parse(details) }
}
