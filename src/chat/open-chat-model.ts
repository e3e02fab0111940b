import type { ChatConfig } from '../config/config.ts'
import type { Doubt } from '../provider/doubt.ts'
import type { ChatModel } from './chat-model.ts'

export type CheckedChatModel = {
  /** Undefined where no model is set, and agents answer without one. */
  chat: ChatModel | undefined
  check: () => Promise<Doubt[]>
}

/** The library that speaks to providers is only loaded where there is one. */
export async function openChatModel(config: ChatConfig | undefined): Promise<CheckedChatModel> {
  if (!config) return { chat: undefined, check: async () => [] }
  const { OpenAiChat } = await import('./openai-chat.ts')
  const { checkChat } = await import('./chat-check.ts')
  const chat = new OpenAiChat(config)
  return { chat, check: () => checkChat(chat, config) }
}
