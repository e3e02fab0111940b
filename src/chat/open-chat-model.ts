import type { ChatConfig } from '../config/config.ts'
import type { ConfigWarning } from '../provider/config-warning.ts'
import type { ChatModel } from './chat-model.ts'

export type CheckedChatModel = {
  /** Undefined if no model is set. Agents then answer without one. */
  chat: ChatModel | undefined
  check: () => Promise<ConfigWarning[]>
}

/** Loads the provider library only if it is needed. */
export async function openChatModel(config: ChatConfig | undefined): Promise<CheckedChatModel> {
  if (!config) return { chat: undefined, check: async () => [] }
  const { OpenAiChat } = await import('./openai-chat.ts')
  const { checkChat } = await import('./chat-check.ts')
  const chat = new OpenAiChat(config)
  return { chat, check: () => checkChat(chat, config) }
}
