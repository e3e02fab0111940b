import type { EmbeddingConfig } from '../config/config.ts'
import { EmbeddingFailed, EmbeddingTimeout } from '../errors/provider-errors.ts'
import { createClient, type ProviderClient } from '../provider/client.ts'
import {
  type ConfigWarning,
  toConfigWarning,
  timedOut,
  toFailure,
  CallFailed,
} from '../provider/failure.ts'
import { createPolicy, type InSlot } from '../provider/policy.ts'
import { FairSemaphore } from '../process/fair-shares.ts'
import { checkVectors, type Embedder } from './embedder.ts'
import { type Prefixes, prefixesOf } from './prefixes.ts'
import { noEmbeddings, readVectors } from './read-vectors.ts'

const maxCalls = 9
/** The inputs of one call: the default limit of TEI, the strictest server in use. */
const maxInputs = 32
const maxCharacters = 100_000

const asFloats = { encoding_format: 'float' } as const

const names = {
  provider: 'embedding provider',
  key: 'OPENAI_API_KEY',
  address: 'OPENAI_BASE_URL',
  model: ['EMBEDDING_MODEL', 'EMBEDDING_DIMENSIONS'],
}

export class OpenAiEmbedder implements Embedder {
  readonly model: string
  /** Where none are asked for, the first answer tells them. */
  dimensions: number | undefined
  readonly isModel = true
  readonly prefixes: Prefixes | undefined
  readonly #client: ProviderClient
  readonly #askedDimensions: number | undefined
  #maxInputs = maxInputs
  #format: { encoding_format?: 'float' } = asFloats
  readonly #timeout: number
  readonly #policy = createPolicy()
  readonly #slots = new FairSemaphore(maxCalls)
  /** A request embeds a query once, however many datastores it searches. */
  readonly #asked = new WeakMap<AbortSignal, Map<string, Promise<Float32Array[]>>>()

  constructor({ model, prefixes, apiKey, baseUrl, dimensions, timeout }: EmbeddingConfig) {
    this.model = model
    this.prefixes = prefixesOf(model, prefixes)
    this.dimensions = dimensions
    this.#askedDimensions = dimensions
    this.#timeout = timeout
    this.#client = createClient({ apiKey, keyName: names.key, baseUrl, timeout })
  }

  embed(texts: string[], signal: AbortSignal, workspace: string): Promise<Float32Array[]> {
    const [text] = texts
    if (text === undefined || texts.length > 1) return this.#embedAll(texts, signal, workspace)
    const ofRequest = this.#asked.get(signal) ?? new Map<string, Promise<Float32Array[]>>()
    this.#asked.set(signal, ofRequest)
    const vectors = ofRequest.get(text) ?? this.#embedAll(texts, signal, workspace)
    ofRequest.set(text, vectors)
    vectors.catch(() => ofRequest.delete(text))
    return vectors
  }

  async #embedAll(
    texts: string[],
    signal: AbortSignal,
    workspace: string,
  ): Promise<Float32Array[]> {
    const failure = new AbortController()
    const either = AbortSignal.any([signal, failure.signal])
    try {
      const inSlot: InSlot = (call) => this.#slots.run(workspace, call)
      let end = 0
      const calls = toBatches(texts, this.#maxInputs).map((batch) => {
        const start = end
        end += batch.length
        return this.#embedBatch(batch, start, either, inSlot)
      })
      return (await Promise.all(calls)).flat()
    } catch (error) {
      failure.abort()
      signal.throwIfAborted()
      throw error
    }
  }

  /** Some providers take fewer texts in a call, which only a refusal tells. `start` is the index of the first one. */
  async #embedBatch(
    batch: string[],
    start: number,
    signal: AbortSignal,
    inSlot: InSlot,
  ): Promise<Float32Array[]> {
    try {
      return await this.#policy(() => this.#ask(batch, signal), inSlot)
    } catch (error) {
      if (!isRefusal(error)) throw toEmbeddingError(error)
      if (batch.length === 1) throw toEmbeddingError(error, start)
      const half = Math.ceil(batch.length / 2)
      // One after the other, because a provider that refuses all is to be asked little.
      const vectors = await this.#embedBatch(batch.slice(0, half), start, signal, inSlot)
      vectors.push(...(await this.#embedBatch(batch.slice(half), start + half, signal, inSlot)))
      this.#maxInputs = Math.min(this.#maxInputs, half)
      return vectors
    }
  }

  /** Asks for one vector, without retries. @returns what is wrong */
  async check(): Promise<ConfigWarning[]> {
    try {
      const vectors = await this.#probe()
      checkVectors(vectors, 1, this.dimensions ?? vectors[0]?.length ?? 0)
      return []
    } catch (error) {
      return [toConfigWarning(error, names)]
    }
  }

  async #probe(): Promise<Float32Array[]> {
    const ask = () => this.#ask(['A text.'], new AbortController().signal, true)
    try {
      return await ask()
    } catch (error) {
      if (!isRefusal(error)) throw error
      // Voyage and some gateways refuse a format, also the protocol's default.
      this.#format = {}
      return await ask().catch(() => {
        this.#format = asFloats
        throw error
      })
    }
  }

  async #ask(input: string[], signal: AbortSignal, isProbe = false): Promise<Float32Array[]> {
    signal.throwIfAborted()
    // The library's own timeout covers only a part of the answer.
    const timeout = AbortSignal.timeout(this.#timeout * 1000)
    try {
      const dimensions = this.#askedDimensions
      const body = { model: this.model, input, ...this.#format, ...(dimensions && { dimensions }) }
      const either = AbortSignal.any([signal, timeout])
      // The library's own function adds a format.
      const asked = this.#client.post('/embeddings', { body, signal: either })
      const answer = await asked.asResponse()
      const vectors = await readVectors(answer, input.length, dimensions)
      this.dimensions ??= vectors[0]?.length || undefined
      return vectors
    } catch (error) {
      signal.throwIfAborted()
      throw timeout.aborted ? timedOut(this.#timeout) : toFailure(error, noEmbeddings, isProbe)
    }
  }
}

/** Of what was sent, not of who sends it. */
const isRefusal = (error: unknown): boolean =>
  error instanceof CallFailed && error.retryAfter === null

function toBatches(texts: string[], inputs: number): string[][] {
  const batches: string[][] = []
  let characters = 0
  for (const text of texts) {
    const last = batches.at(-1)
    characters += text.length
    if (last && last.length < inputs && characters <= maxCharacters) last.push(text)
    else {
      batches.push([text])
      characters = text.length
    }
  }
  return batches
}

function toEmbeddingError(error: unknown, refused?: number): unknown {
  if (!(error instanceof CallFailed)) return error
  const { kind, message, retryAfter, reason } = error
  const detail = `The embedding provider ${message}.`
  const options = { cause: error, retryAfter, reason, refused }
  return kind === 'timeout' ? new EmbeddingTimeout(detail) : new EmbeddingFailed(detail, options)
}
