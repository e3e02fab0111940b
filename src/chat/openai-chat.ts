import type { ModelName } from '../../generated/types.gen.ts'
import type { ChatConfig } from '../config.ts'
import { createClient, type ProviderClient } from '../provider/client.ts'
import { toFailure } from '../provider/failure.ts'
import { createProviderFetch } from '../provider/fetch.ts'
import { createPolicy, fromPolicy } from '../provider/policy.ts'
import { brokenOff, noAnswer, toDeltas } from './answer-deltas.ts'
import { toChatError } from './chat-failure.ts'
import type { ChatDelta, ChatMessage, ChatModel, ChatRequest } from './chat-model.ts'
import { boundEvents } from './event-bounds.ts'
import { RefusedParameters } from './refused-parameters.ts'
import { Silence } from './silence.ts'

/** An answer that has begun is not retried: its beginning may have been given already. */
export class OpenAiChat implements ChatModel {
  readonly #client: ProviderClient
  readonly #models: ChatConfig['models']
  readonly #timeout: number
  readonly #policy = createPolicy()
  readonly #refused = new RefusedParameters()

  constructor({ models, timeout, ...endpoint }: ChatConfig) {
    const toProvider = createProviderFetch(endpoint)
    const fetch: typeof toProvider = async (...call) => boundEvents(await toProvider(...call))
    this.#client = createClient({ ...endpoint, timeout, fetch })
    this.#models = models
    this.#timeout = timeout
  }

  modelFor(name: ModelName): string | undefined {
    return this.#models[name]
  }

  async *complete(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatDelta> {
    const model = this.#models[request.modelName]
    if (model === undefined) throw new Error(`No model is behind ${request.modelName}.`)
    const body = toBody(model, request.messages, request.temperature)
    try {
      yield* await this.#policy(() => begin(this.#ask(body, signal)))
    } catch (error) {
      signal.throwIfAborted()
      throw toChatError(fromPolicy(error))
    }
  }

  /** Waits for the beginning of an answer, and returns the parameters it had to do without. @throws CallFailed */
  async probe(model: string): Promise<string[]> {
    const messages: ChatMessage[] = [{ role: 'user', content: 'Say yes.' }]
    const answer = this.#ask(toBody(model, messages, 0), new AbortController().signal, true)
    await answer.next()
    await answer.return(undefined)
    return this.#refused.of(model)
  }

  async *#ask(body: Body, signal: AbortSignal, isOwnText = false): AsyncGenerator<ChatDelta> {
    const silence = new Silence(this.#timeout)
    silence.begin()
    let hasBegun = false
    try {
      const either = AbortSignal.any([signal, silence.signal])
      for await (const delta of toDeltas(await this.#open(body, either), body.model)) {
        silence.end()
        hasBegun = true
        yield delta
        silence.begin()
      }
    } catch (error) {
      signal.throwIfAborted()
      silence.signal.throwIfAborted()
      throw toFailure(error, hasBegun ? brokenOff : noAnswer, isOwnText)
    } finally {
      silence.end()
    }
  }

  async #open(body: Body, signal: AbortSignal): Promise<AsyncIterable<unknown>> {
    for (;;) {
      signal.throwIfAborted()
      const sent = this.#refused.leaveOut(body)
      try {
        return await this.#client.chat.completions.create(sent, { signal })
      } catch (error) {
        const { status, refusedParameter } = toFailure(error, noAnswer, false)
        if (status !== 400 || !this.#refused.note(sent, refusedParameter)) throw error
      }
    }
  }
}

type Body = ReturnType<typeof toBody>

const toBody = (model: string, messages: ChatMessage[], temperature: number) => ({
  model,
  messages,
  temperature,
  stream: true as const,
  stream_options: { include_usage: true },
})

async function begin<Piece>(pieces: AsyncGenerator<Piece>): Promise<AsyncGenerator<Piece>> {
  const first = await pieces.next()
  return goOn(first, pieces)
}

async function* goOn<Piece>(
  first: IteratorResult<Piece>,
  rest: AsyncGenerator<Piece>,
): AsyncGenerator<Piece> {
  if (first.done) return
  try {
    yield first.value
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}
