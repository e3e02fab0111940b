import type { Citation } from '../../generated/types.gen.ts'
import type { ChatModel, ChatRequest } from '../chat/chat-model.ts'
import { ChatFailed } from '../errors/provider-errors.ts'
import { TimeSlice } from '../process/time-slice.ts'
import type { StoredMessage, TermStatistics } from '../store/types.ts'
import type { Span } from '../text/span.ts'
import type { Answerer, AnswerEnd, AnswerPart, Standalone, Task } from './answerer.ts'
import { toChatMessages } from './chat-messages.ts'
import { type Claim, Claims } from './claims.ts'
import { type Sentence, sentencesIn } from './passages/fragment-sentences.ts'
import { type Marked, MarkerReader } from './marker-reader.ts'
import { QuestionWords } from './passages/question-words.ts'
import type { Source } from './sources.ts'
import { askStandalone } from './standalone-question.ts'

/** Answers with a chat model, and finds the words that back what it says. */
export class ChatAnswerer implements Answerer {
  readonly model: string
  readonly #chat: ChatModel
  readonly #modelName: ChatRequest['modelName']

  /** `model` is the provider's name of the model behind `modelName`. */
  constructor(chat: ChatModel, modelName: ChatRequest['modelName'], model: string) {
    this.#chat = chat
    this.#modelName = modelName
    this.model = model
  }

  standalone(query: string, history: StoredMessage[], signal: AbortSignal): Promise<Standalone> {
    return askStandalone(this.#chat, this.#modelName, query, history, signal)
  }

  async *answer(task: Task, signal: AbortSignal): AsyncGenerator<AnswerPart> {
    const messages = toChatMessages(task)
    const request = { modelName: this.#modelName, temperature: task.temperature, messages }
    const reader = new MarkerReader(task.sources.length)
    const citing = new Citing(task)
    let end: AnswerEnd | undefined
    for await (const delta of this.#chat.complete(request, signal)) {
      if (delta.type === 'end') end = delta
      else for (const marked of reader.read(delta.text)) yield* citing.take(marked)
    }
    for (const marked of reader.rest()) yield* citing.take(marked)
    yield* citing.rest()
    if (!end) throw new Error('A chat model stopped without an end.')
    if (citing.text.trim() === '') throw new ChatFailed('The chat provider gave an empty answer.')
    yield { ...end, finishReason: citing.saysNoAnswer ? 'no_answer' : end.finishReason }
  }
}

/** Turns text and markers into pieces of an answer and its citations, each once. */
class Citing {
  readonly #task: Task
  readonly #claims = new Claims()
  readonly #cited = new Set<string>()
  #maySayNoAnswer = true

  constructor(task: Task) {
    this.#task = task
  }

  get text(): string {
    return this.#claims.text
  }

  /** Ignores citations in the text of `noAnswer`, which some models add. */
  get saysNoAnswer(): boolean {
    return this.#said === bare(this.#task.noAnswer)
  }

  get #said(): string {
    const isLonger = this.text.length > this.#task.noAnswer.length + maxMarks
    return isLonger ? this.text : bare(this.text.replaceAll(/\s*\[\d+\]/g, ''))
  }

  async *take(marked: Marked): AsyncGenerator<AnswerPart> {
    yield { type: 'answer', delta: marked.text }
    if (marked.type === 'text') {
      this.#claims.add(marked.text)
    } else {
      yield* this.#cite(this.#claims.addMarker(marked.text, marked.sources))
    }
  }

  rest(): AsyncGenerator<AnswerPart> {
    return this.#cite(this.#claims.end())
  }

  async *#cite(claims: Claim[]): AsyncGenerator<AnswerPart> {
    // Its full stop may come behind a marker.
    this.#maySayNoAnswer &&= bare(this.#task.noAnswer).startsWith(this.#said)
    if (this.#maySayNoAnswer) return
    for (const claim of claims)
      for (const source of claim.sources) yield* this.#citeOnce(claim, source)
  }

  async *#citeOnce({ start, end }: Span, source: number): AsyncGenerator<AnswerPart> {
    const key = `${start} ${source}`
    if (this.#cited.has(key)) return
    this.#cited.add(key)
    const { sources, statistics } = this.#task
    const backing = await quoteFor(this.text.slice(start, end), sources[source]!, statistics)
    const citation: Citation = { start, end, source, ...backing }
    yield { type: 'citation', citation }
  }
}

const minGainOfSecond = 0.1
const precision = 1e4

/** The sentence of a source, or two in a row, that back a claim best. */
async function quoteFor(
  said: string,
  { found }: Source,
  statistics: TermStatistics,
): Promise<Pick<Citation, 'quote' | 'support'>> {
  const claim = unmarked(said)
  const words = new QuestionWords(claim, statistics)
  const slice = new TimeSlice()
  const sentences = await sentencesIn(found, slice)
  const one = await bestSentence(words, claim, sentences, slice)
  const two = await bestPair(words, sentences, (one?.support ?? 0) + minGainOfSecond, slice)
  const { span, support } = two ?? one ?? { span: { start: 0, end: found.text.length }, support: 0 }
  const text = found.text.slice(span.start, span.end)
  const quote = { text, start: found.offset + span.start, end: found.offset + span.end }
  return { quote, support: Math.round(support * precision) / precision }
}

async function bestSentence(
  words: QuestionWords,
  claim: string,
  sentences: readonly Sentence[],
  slice: TimeSlice,
): Promise<Backing | undefined> {
  let best: Backing | undefined
  for (const sentence of sentences) {
    await slice.pause()
    const support = supportOf(words, claim, sentence)
    if (!best || support > best.support) best = { span: sentence, support }
  }
  return best
}

/** Two sentences in a row of which the second adds something. */
async function bestPair(
  words: QuestionWords,
  sentences: readonly Sentence[],
  minSupport: number,
  slice: TimeSlice,
): Promise<Backing | undefined> {
  let best: Backing | undefined
  for (const [index, { start, words: first }] of sentences.slice(0, -1).entries()) {
    await slice.pause()
    const { end, words: second } = sentences[index + 1]!
    const support = notQuoted(words.shareOf(words.coverOf([...first, ...second])))
    const isBetter = support >= minSupport && support > (best?.support ?? 0)
    if (isBetter) best = { span: { start, end }, support }
  }
  return best
}

type Backing = { span: Span; support: number }

/** Words alone do not tell the order, nor `not`, so they are never all of a claim. */
const maxNotQuoted = 0.99
const notQuoted = (share: number): number => Math.min(share, maxNotQuoted)

function supportOf(words: QuestionWords, claim: string, sentence: Sentence): number {
  const isQuoted = oneLine(unmarked(sentence.text)).includes(oneLine(claim))
  return isQuoted ? 1 : notQuoted(words.shareOf(words.coverOf(sentence.words)))
}

/** Without the marks of Markdown for bold words and code, which are no words. */
const unmarked = (text: string): string => text.replaceAll(/\*\*|__|`/g, '')

const maxMarks = 100

/** Models leave out the full stop at the end of `noAnswer`, or put it in quotation marks or in bold. */
const bare = (text: string): string => text.replaceAll(/^[\p{P}\s]+|[\p{P}\s]+$/gu, '')

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')
