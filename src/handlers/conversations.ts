import type { Handlers } from './handler.ts'

export const conversationHandlers = () =>
  ({
    listConversations: () => Promise.reject(new Error('listConversations is not built yet.')),
    getConversation: () => Promise.reject(new Error('getConversation is not built yet.')),
    deleteConversation: () => Promise.reject(new Error('deleteConversation is not built yet.')),
  }) satisfies Partial<Handlers>
