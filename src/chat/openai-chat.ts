import type { ModelName } from '../../generated/types.gen.ts'
import type { ChatConfig } from '../config/config.ts'
import { ChatFailed, ChatTimeout } from '../errors/provider-errors.ts'
import { createClient, type ProviderClient } from '../provider/client.ts'
import { toFailure, CallFailed, timedOut } from '../provider/failure.ts'
import { type CallPolicy, createPolicy } from '../provider/policy.ts'
import { brokenOff, endsThought, limitEvents, sentNothing, toDeltas } from './answer-deltas.ts'
import type { ChatDelta, ChatMessage, ChatModel, ChatRequest } from './chat-model.ts'

/** Does not retry an answer that has begun, because its beginning may have been passed on. */
export class OpenAiChat implements ChatModel {
  readonly #client: ProviderClient
  readonly #models: ChatConfig['models']
  readonly #timeout: number
  /** By model, because one may fail while others answer. */
  readonly #policies = new Map<string, CallPolicy>()
  readonly #refused = new RefusedParameters()
  /** Models whose servers send no tag where a thought begins. */
  readonly #thinkingModels = new Set<string>()

  constructor({ models, timeout, ...endpoint }: ChatConfig) {
    this.#client = createClient({ ...endpoint, timeout, limit: limitEvents })
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
      yield* await this.#policyFor(model)(() => awaitFirst(this.#ask(body, signal)))
    } catch (error) {
      signal.throwIfAborted()
      throw toChatError(error)
    }
  }

  #policyFor(model: string): CallPolicy {
    const policy = this.#policies.get(model) ?? createPolicy()
    this.#policies.set(model, policy)
    return policy
  }

  /** Remembers how a model answers, and returns the parameters that were refused. @throws CallFailed */
  async probe(model: string): Promise<string[]> {
    const messages: ChatMessage[] = [{ role: 'user', content: 'Say yes.' }]
    const answer = this.#ask(toBody(model, messages, 0), new AbortController().signal, true)
    let text = ''
    for await (const delta of answer) if (delta.type === 'delta') text += delta.text
    if (endsThought(text)) this.#thinkingModels.add(model)
    return this.#refused.of(model)
  }

  async *#ask(body: Body, signal: AbortSignal, isProbe = false): AsyncGenerator<ChatDelta> {
    const idle = new IdleTimeout(this.#timeout)
    idle.begin()
    let hasBegun = false
    try {
      const either = AbortSignal.any([signal, idle.signal])
      const chunks = timed(await this.#open(body, either), idle)
      for await (const delta of toDeltas(
        chunks,
        body.model,
        this.#thinkingModels.has(body.model),
      )) {
        hasBegun = true
        yield delta
      }
    } catch (error) {
      signal.throwIfAborted()
      idle.signal.throwIfAborted()
      throw toFailure(error, hasBegun ? brokenOff : sentNothing, isProbe)
    } finally {
      idle.end()
    }
  }

  async #open(body: Body, signal: AbortSignal): Promise<AsyncIterable<unknown>> {
    for (;;) {
      signal.throwIfAborted()
      const sent = this.#refused.leaveOut(body)
      try {
        return await this.#client.chat.completions.create(sent, { signal })
      } catch (error) {
        const { status, refusedParameter } = toFailure(error, sentNothing, false)
        const isRefusal = status === 400 || status === 422
        if (!isRefusal || !this.#refused.note(sent, refusedParameter)) throw error
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

/** Settles with the first piece, so that only what fails before it is retried. */
async function awaitFirst<Piece>(pieces: AsyncGenerator<Piece>): Promise<AsyncGenerator<Piece>> {
  const first = await pieces.next()
  return withFirst(first, pieces)
}

async function* withFirst<Piece>(
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

/** Restarts the timeout with each chunk, also of thoughts, which are no part of the answer. */
async function* timed(chunks: AsyncIterable<unknown>, idle: IdleTimeout): AsyncGenerator {
  for await (const chunk of chunks) {
    idle.end()
    yield chunk
    idle.begin()
  }
}

function toChatError(error: unknown): unknown {
  if (!(error instanceof CallFailed)) return error
  const { kind, message, retryAfter, reason } = error
  const detail = `The chat provider ${message}.`
  const options = { cause: error, retryAfter, reason }
  return kind === 'timeout' ? new ChatTimeout(detail) : new ChatFailed(detail, options)
}

/** A model that refuses one of these answers well without it. */
const optional = new Set(['temperature', 'stream_options'])

class RefusedParameters {
  readonly #byModel = new Map<string, Set<string>>()

  of(model: string): string[] {
    return [...(this.#byModel.get(model) ?? [])]
  }

  /** Notes a refusal. @returns whether to call again without the refused parameter */
  note(sent: { model: string }, parameter: string | undefined): boolean {
    // Some providers name a nested member, as in `stream_options.include_usage`.
    const name = parameter?.split('.', 1)[0] ?? ''
    if (!optional.has(name) || !(name in sent)) return false
    this.#byModel.set(sent.model, new Set(this.of(sent.model)).add(name))
    return true
  }

  leaveOut<Sent extends { model: string }>(body: Sent): Sent {
    const refused = this.of(body.model)
    return Object.fromEntries(
      Object.entries(body).filter(([name]) => !refused.includes(name)),
    ) as Sent
  }
}

class IdleTimeout {
  readonly #controller = new AbortController()
  readonly #maxSeconds: number
  #timer: NodeJS.Timeout | undefined

  constructor(maxSeconds: number) {
    this.#maxSeconds = maxSeconds
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  begin(): void {
    const abort = () => this.#controller.abort(timedOut(this.#maxSeconds))
    this.#timer = setTimeout(abort, this.#maxSeconds * 1000)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
