import { maxLengths } from '../../generated/max-lengths.gen.ts'
import type { Usage } from '../../generated/types.gen.ts'
import { CallFailed, malformed } from '../provider/failure.ts'
import type { ChatDelta, ChatEnd } from './chat-model.ts'

const maxCharacters = 256 * 1024

export const sentNothing = 'gave no answer'
export const brokenOff = 'broke off its answer'

/** The provider's chunks as pieces of an answer; `model` is what was asked for. @throws CallFailed */
export async function* toDeltas(
  chunks: AsyncIterable<unknown>,
  model: string,
  beginsInThought: boolean,
): AsyncGenerator<ChatDelta> {
  let characters = 0
  let hasText = false
  const filter = new ThinkingFilter(beginsInThought)
  let finish: ChatEnd['finishReason'] | undefined
  const end = { model, usage: { inputTokens: 0, outputTokens: 0 } }
  for await (const chunk of chunks) {
    const { text, finishReason, ...others } = partsOf(chunk)
    Object.assign(end, others)
    characters += text.length
    if (characters > maxCharacters) throw malformed('gave too long an answer')
    const shown = filter.read(text)
    hasText ||= shown !== ''
    if (shown !== '') yield { type: 'delta', text: shown }
    if (finishReason !== undefined) finish = toFinish(finishReason)
  }
  if (finish === undefined) throw malformed(characters > 0 ? brokenOff : sentNothing)
  const rest = filter.rest(finish)
  if (rest !== '') yield { type: 'delta', text: rest }
  else if (!hasText) throw new CallFailed('empty', 'gave an empty answer')
  yield { type: 'end', finishReason: finish, ...end }
}

type Parts = { text: string; finishReason?: string; model?: string; usage?: Usage }

/** Servers of this protocol may leave out any member. */
type Chunk = {
  model?: unknown
  choices?: { delta?: { content?: unknown } | null; finish_reason?: unknown }[] | null
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown } | null
} | null

function partsOf(chunk: unknown): Parts {
  const { model, choices, usage } = (chunk as Chunk) ?? {}
  const { delta, finish_reason: finishReason } = choices?.[0] ?? {}
  return {
    text: textOf(delta?.content),
    ...(isReason(finishReason) && { finishReason }),
    ...(typeof model === 'string' && model !== '' && { model: cut(model) }),
    ...(usage && {
      usage: {
        inputTokens: toCount(usage.prompt_tokens),
        outputTokens: toCount(usage.completion_tokens),
      },
    }),
  }
}

/** Mistral's thinking models send a list of parts, of which some are thoughts. */
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  return content.map((part) => (part?.type === 'text' ? textOf(part.text) : '')).join('')
}

/** Some servers send the text `null` with each piece but the last. */
const isReason = (reason: unknown): reason is string =>
  typeof reason === 'string' && reason !== '' && reason !== 'null'

const cut = (model: string): string => model.slice(0, maxLengths.AnsweringModel).toWellFormed()

const toCount = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0

const brokenReasons = new Set(['error', 'abort', 'insufficient_system_resource'])

function toFinish(stated: string): ChatEnd['finishReason'] {
  const reason = stated.toLowerCase()
  if (reason === 'content_filter') throw new CallFailed('withheld', 'withheld its answer')
  if (['tool_calls', 'function_call'].includes(reason)) throw new CallFailed('empty', brokenOff)
  if (brokenReasons.has(reason)) throw malformed(brokenOff)
  return ['length', 'max_tokens', 'model_length'].includes(reason) ? 'length' : 'stop'
}

/** A piece of an answer takes some 300 bytes. */
const maxEventBytes = 1024 * 1024
const maxBytes = 32 * 1024 * 1024

const [lineFeed, carriageReturn] = [10, 13]

/** Passes the answer on. Its body ends with CallFailed once an event, or the whole, is too long. */
export function limitEvents(response: Response): Response {
  const isWithin = watchEvents()
  const bounds = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      if (!isWithin(piece)) throw malformed('gave too long an answer')
      controller.enqueue(piece)
    },
  })
  const { body } = response
  return body ? new Response(body.pipeThrough(bounds), response) : response
}

function watchEvents(): (piece: Uint8Array) => boolean {
  let [bytes, eventBytes, maxSeen] = [0, 0, 0]
  let isLineEmpty = true
  const scan = (byte: number): void => {
    eventBytes++
    if (byte === lineFeed) {
      maxSeen = Math.max(maxSeen, eventBytes)
      if (isLineEmpty) eventBytes = 0
      isLineEmpty = true
    } else if (byte !== carriageReturn) isLineEmpty = false
  }
  return (piece) => {
    bytes += piece.byteLength
    if (bytes > maxBytes) return false
    piece.forEach(scan)
    return Math.max(maxSeen, eventBytes) <= maxEventBytes
  }
}

const opens = ['<think>', '<thinking>', '[THINK]']
const close = /<\/think(?:ing)?>|\[\/THINK\]/
const maxClose = '</thinking>'.length

export const endsThought = (text: string): boolean =>
  close.test(text) && !opens.some((open) => text.includes(open))

const maxBlanks = 1_000

/** Drops the thinking that some servers send at the start of an answer. */
class ThinkingFilter {
  readonly #beginsInThought: boolean
  #thought = ''
  #held = ''
  #isThinking: boolean
  #isOver = false

  constructor(beginsInThought: boolean) {
    this.#beginsInThought = beginsInThought
    this.#isThinking = beginsInThought
  }

  read(piece: string): string {
    if (this.#isOver) return piece
    this.#held += piece
    if (!this.#isThinking) {
      const begun = this.#held.trimStart()
      const mayOpen = opens.some((open) => open.startsWith(begun))
      if (mayOpen && this.#held.length < maxBlanks) return ''
      this.#isThinking = opens.some((open) => begun.startsWith(open))
      this.#isOver = !this.#isThinking
      if (this.#isOver) return this.#held
    }
    const end = close.exec(this.#held)
    const shown = end ? this.#held.slice(end.index + end[0].length).trimStart() : ''
    if (!end) {
      this.#thought += this.#held.slice(0, -maxClose)
      this.#held = this.#held.slice(-maxClose)
    }
    this.#isOver = shown !== ''
    return shown
  }

  /** A model that begins in thought may also answer without one. */
  rest(finish: ChatEnd['finishReason']): string {
    const isThought =
      this.#isThinking && (!this.#beginsInThought || finish === 'length' || close.test(this.#held))
    return this.#isOver || isThought ? '' : this.#thought + this.#held
  }
}
