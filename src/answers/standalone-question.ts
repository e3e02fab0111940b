import { defaults } from '../../generated/defaults.gen.ts'
import type { ChatMessage, ChatModel, ChatRequest } from '../chat/chat-model.ts'
import { ChatFailed } from '../errors/provider-errors.ts'
import { isOutage } from '../provider/failure.ts'
import type { StoredMessage } from '../store/types.ts'
import { wordsOnce } from '../text/words.ts'
import { wordWeight } from '../text/stop-words.ts'
import { type Standalone, noUsage } from './answerer.ts'
import { toEarlier } from './chat-messages.ts'

const maxQuestionLength = 8_192

/** A question with no more words of its own goes on with the one before. */
const maxOwnWords = 1
const unspacedCharactersAWord = 4

/** The possible meanings of a follow-up question, the likeliest first. */
export function queryRewrites(query: string, history: StoredMessage[]): string[] {
  const before = history.findLast(({ role }) => role === 'user')?.content
  if (before === undefined || ownWords(query) > maxOwnWords) return [query]
  return [`${before} ${query}`.slice(-maxQuestionLength), query]
}

const ownWords = (query: string): number =>
  wordsOnce(query).reduce((count, { text, kind }) => {
    if (kind === 'unspaced') return count + [...text].length / unspacedCharactersAWord
    return wordWeight(text) === 1 ? count + 1 : count
  }, 0)

/** As `queryRewrites`, by a model. @throws ChatFailed if it cannot be reached, ChatTimeout */
export async function askStandalone(
  chat: ChatModel,
  modelName: ChatRequest['modelName'],
  query: string,
  history: StoredMessage[],
  signal: AbortSignal,
): Promise<Standalone> {
  const messages: ChatMessage[] = [
    { role: 'system', content: instruction },
    ...history.map(toEarlier),
    { role: 'user', content: query },
  ]
  const request = { modelName, temperature: defaults.InitialTemperature, messages }
  let [asked, usage] = ['', noUsage]
  try {
    for await (const delta of chat.complete(request, signal)) {
      if (delta.type === 'delta') asked += delta.text
      else usage = delta.usage
    }
  } catch (error) {
    if (!(error instanceof ChatFailed) || isOutage(error.cause)) throw error
  }
  const rewritten = asked.trim().slice(0, maxQuestionLength)
  return { rewrites: rewritten ? [rewritten] : queryRewrites(query, history), usage }
}

const instruction =
  'Write the last question again so that it can be understood without the messages before it, ' +
  'in its language. Answer with the question alone, and do not answer it.'
