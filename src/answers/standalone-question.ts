import { defaults } from '../../generated/defaults.gen.ts'
import type { ChatMessage, ChatModel, ChatRequest } from '../chat/chat-model.ts'
import { ChatFailed } from '../errors/provider-errors.ts'
import { isOutage } from '../provider/failure.ts'
import type { StoredMessage } from '../store/types.ts'
import { namesSubject, pointsBack, questionWords, withoutReplaced } from '../text/points-back.ts'
import { wordsOnce } from '../text/words.ts'
import { isStopWord, wordWeight } from '../text/stop-words.ts'
import { type Rewrite, type Standalone, noUsage } from './answerer.ts'
import { toEarlier } from './chat-messages.ts'
import { withoutCorrection, withoutCourtesies } from './courtesies.ts'
import { codesIn, withoutCodes } from './passages/codes.ts'

const maxQuestionLength = 8_192

/** A question with at most so many words of its own continues the one before. */
const maxOwnWords = 1
/** One that is only `and for …`, or that corrects the one before, may have more. */
const maxOwnWordsOfPart = 3
const unspacedCharactersAWord = 4

/** The possible meanings of a question, the likeliest first; none of what only greets or thanks. */
export function queryRewrites(query: string, history: StoredMessage[]): Rewrite[] {
  const before = history.filter(({ role }) => role === 'user')
  const { said, continues } = toAsked(query, before.length === 0)
  if (said === '') return []
  if (!continues || isSmallTalk(said)) return [{ query: said }]
  const asked = before
    .map(({ content }, index) => toAsked(content, index === 0))
    .filter((one) => one.said !== '')
  if (asked.length === 0) return [{ query: said }]
  const subject = asked.findLastIndex((one) => !one.continues)
  const earlier = asked.slice(Math.max(0, subject)).map((one) => one.said)
  const first = earlier[0]!
  const latest = earlier.findLast((one) => ownWords(one) > 0 && namesSubject(one)) ?? first
  return [
    continuing(said, earlier, latest),
    ...(earlier.length > 1 ? [continuing(said, [first], first)] : []),
    ...(pointsBack(said) ? [] : [{ query: said, asked: said }]),
  ]
}

const continuing = (asked: string, earlier: string[], subject: string): Rewrite => ({
  query: [...earlier, asked].reduce(goneOn).slice(-maxQuestionLength),
  asked,
  about: pointsBack(asked) ? withoutReplaced(subject, asked) : '',
})

/** What is asked, and whether the question needs the one before. */
function toAsked(query: string, isFirst: boolean): { said: string; continues: boolean } {
  const asked = withoutCourtesies(query, isFirst)
  const said = withoutCorrection(asked)
  const joined = said.replace(joining, '')
  const isPart = joined !== asked && !asking.test(joined)
  const most = isPart ? maxOwnWordsOfPart : maxOwnWords
  return { said, continues: ownWords(said) <= most && !asksMeaning(joined) }
}

/** As in `and for the guests?`, which asks nothing by itself, unlike `And how do I …?` */
const joining =
  /^¿?(?:(?:and|but|or|und|aber|oder|et|y|o|ou)\s|(?:what|how)\sabout\s|was\sist\smit\s)+/iu
const asking = new RegExp(
  String.raw`(?<!\p{L})(?:${questionWords}|do|does|did|can|is|are|kann)(?!\p{L})`,
  'iu',
)

const whatIs =
  /^¿?(?:what(?:['’]?s|\s(?:is|are))|who(?:['’]?s|\sis)|was\s(?:ist|sind)|wer\sist|qu['’]est[-\s]ce\squ(?:e|['’])|c['’]est\squoi|qu[eé]\s(?:es|son))(?:\s|(?<=['’]))(?<thing>.*[\p{L}\p{N}])/iu
const named = /^(?:(?:an?|eine?|un[ae]?)\s|\p{Lu})/u
const word = /^[\p{L}\p{N}_-]+$/u
/** What a text says of the thing that was asked before, as `What is included?` */
const property =
  /^(?:\p{L}+(?:[ai]ble|ed)|best|free|important|left|missing|necessary|new|next|optional|wrong|\p{L}+(?:bar|ig|lich)|(?:be|ent|er|ge|inbe|ver)\p{L}+(?:en|t)|neu|gratis|obligatori[ao])$/iu

/** As in `What is a stream?`, `What is Trivy?` and `What is gravity?`: a question of its own, unlike `What is the price?` */
function asksMeaning(question: string): boolean {
  const thing = whatIs.exec(question)?.groups?.['thing'] ?? ''
  return named.test(thing) || (word.test(thing) && !property.test(thing) && ownWords(thing) > 0)
}

/** `No` and `Who are you?` are small talk. `Why?` and `How do you do that?` continue a question. */
const isSmallTalk = (query: string): boolean =>
  wordsOnce(query).every(({ text }) => isStopWord(text)) &&
  (!/\b(?:how|wh(?:at|en|ere|ich|o|om|y))\b/i.test(query) ||
    /\b(?:who|what|how) are you\b|\bwhat (?:can|do) you do\b/i.test(query))

/** A question for another code, or for another place or time, is no longer about the one before. */
function goneOn(before: string, next: string): string {
  const kept = withoutReplaced(before, next)
  return `${codesIn(next).length > 0 ? withoutCodes(kept) : kept} ${next}`
}

const howMuch =
  /\b(?:within\s)?how\s(?:big|fast|heavy|high|large|long|many|much|often|old|tall)\b/gi

const ownWords = (query: string): number =>
  wordsOnce(query.replace(howMuch, 'how')).reduce((count, { text, kind }) => {
    if (kind === 'unspaced') return count + charactersOf(text) / unspacedCharactersAWord
    return wordWeight(text) === 1 ? count + 1 : count
  }, 0)

/** Characters of Chinese and Japanese, without particles that only mark a question. */
const particles = /怎么样|怎麼樣|では|[那呢吗嗎的吧呀はもね]/g
const charactersOf = (text: string): number => [...text.replace(particles, '')].length

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
    ...toEarlier(history),
    { role: 'user', content: query },
  ]
  const request = { modelName, temperature: defaults.InitialTemperature, messages }
  const { text, usage } = await saidBy(chat, request, signal)
  const rewritten = text.trim().slice(0, maxQuestionLength)
  return { rewrites: rewritten ? [{ query: rewritten }] : queryRewrites(query, history), usage }
}

async function saidBy(chat: ChatModel, request: ChatRequest, signal: AbortSignal) {
  const said = { text: '', usage: noUsage }
  try {
    for await (const delta of chat.complete(request, signal)) {
      if (delta.type === 'delta') said.text += delta.text
      else said.usage = delta.usage
    }
  } catch (error) {
    if (!(error instanceof ChatFailed) || isOutage(error.cause)) throw error
  }
  return said
}

const instruction =
  'Write the last question again so that it can be understood without the messages before it, ' +
  'in its language. Answer with the question alone, and do not answer it.'
