import type { ModelName, Usage } from '../../generated/types.gen.ts'

export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string }

export type ChatRequest = { modelName: ModelName; temperature: number; messages: ChatMessage[] }

/** `model` is the provider's name of the model that answered. Tokens that it does not count are 0. */
export type ChatEnd = { type: 'end'; model: string; finishReason: 'stop' | 'length'; usage: Usage }

/** `text` is never empty. */
export type ChatDelta = { type: 'delta'; text: string } | ChatEnd

export interface ChatModel {
  /** The provider's name of the model behind a name. Undefined if there is none. */
  modelFor(name: ModelName): string | undefined
  /**
   * The answer in order: at least one delta, then one end. A reader that stops, or aborts, ends the provider's call.
   * @throws ChatFailed, ChatTimeout; the signal's reason once it is aborted
   */
  complete(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatDelta>
}
