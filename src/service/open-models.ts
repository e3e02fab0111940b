import type { ChatModel } from '../chat/chat-model.ts'
import type { EmbeddingConfig, ChatConfig } from '../config/config.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import { HashingEmbedder } from '../embeddings/hashing-embedder.ts'
import type { ConfigWarning } from '../provider/failure.ts'

type Check = () => Promise<ConfigWarning[]>

/** The provider's library is loaded only if it is needed. */
export async function openEmbedder(
  provider: EmbeddingConfig | undefined,
): Promise<{ embedder: Embedder; check: Check }> {
  if (!provider) return { embedder: new HashingEmbedder(), check: async () => [] }
  const { OpenAiEmbedder } = await import('../embeddings/openai-embedder.ts')
  const embedder = new OpenAiEmbedder(provider)
  return { embedder, check: () => embedder.check() }
}

/** `chat` is undefined if no model is set. Agents then answer without one. */
export async function openChatModel(
  config: ChatConfig | undefined,
): Promise<{ chat: ChatModel | undefined; check: Check }> {
  if (!config) return { chat: undefined, check: async () => [] }
  const { OpenAiChat } = await import('../chat/openai-chat.ts')
  const { checkChat } = await import('../chat/chat-check.ts')
  const chat = new OpenAiChat(config)
  return { chat, check: () => checkChat(chat, config) }
}
