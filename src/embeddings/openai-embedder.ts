import {
  bulkhead,
  BrokenCircuitError,
  circuitBreaker,
  ConsecutiveBreaker,
  handleWhen,
  wrap,
} from 'cockatiel'
import OpenAI, { APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai'
import type { ProviderConfig } from '../config.ts'
import { EmbeddingFailed, EmbeddingTimeout } from '../errors.ts'
import type { Embedder } from './embedder.ts'
import { limitedFetch } from './limited-fetch.ts'

/** As many inputs as the strictest server in use, TEI, takes unless it is told otherwise. */
const inputsACall = 32
/** Far below the 300,000 tokens that OpenAI takes at once, in any language. */
const charactersACall = 100_000
const callsAtOnce = 8
const retries = 2
/** After so many failures in a row the provider is left alone for this long. */
const failuresToBreak = 5
const breakMilliseconds = 2_000

/** Any OpenAI-compatible endpoint. */
export class OpenAiEmbedder implements Embedder {
  readonly model: string
  readonly dimensions: number | undefined
  readonly #client: OpenAI
  readonly #timeout: number
  readonly #policy = wrap(
    bulkhead(callsAtOnce, Infinity),
    circuitBreaker(handleWhen(isFaultOfProvider), {
      halfOpenAfter: breakMilliseconds,
      breaker: new ConsecutiveBreaker(failuresToBreak),
    }),
  )

  constructor({ model, apiKey, baseUrl, dimensions, timeout }: ProviderConfig) {
    this.model = model
    this.dimensions = dimensions
    this.#timeout = timeout
    // Everything is said here: left out, the library would look for it in the environment.
    this.#client = new OpenAI({
      // Servers that need no key take any.
      apiKey: apiKey ?? 'none',
      baseURL: baseUrl,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: 'off',
      timeout: timeout * 1000,
      maxRetries: retries,
      fetch: limitedFetch,
    })
  }

  async embed(texts: string[], signal: AbortSignal): Promise<Float32Array[]> {
    const failure = new AbortController()
    const either = AbortSignal.any([signal, failure.signal])
    try {
      const calls = batches(texts).map((batch) => this.#call(batch, either))
      return (await Promise.all(calls)).flat()
    } catch (error) {
      failure.abort()
      signal.throwIfAborted()
      throw this.#toServiceError(error)
    }
  }

  #call(input: string[], signal: AbortSignal): Promise<Float32Array[]> {
    return this.#policy.execute(async () => {
      signal.throwIfAborted()
      const { model, dimensions } = this
      const body = {
        model,
        input,
        encoding_format: 'float' as const,
        ...(dimensions && { dimensions }),
      }
      const answer: unknown = await this.#client.embeddings.create(body, { signal })
      return readVectors(answer, input.length)
    })
  }

  #toServiceError(error: unknown): unknown {
    if (error instanceof EmbeddingFailed) return error
    if (error instanceof APIConnectionTimeoutError) return new EmbeddingTimeout(this.#timeout)
    if (error instanceof BrokenCircuitError) {
      const retryAfter = Math.ceil(breakMilliseconds / 1000)
      return new EmbeddingFailed('The embedding provider keeps failing.', { retryAfter })
    }
    if (!(error instanceof APIError)) {
      return new EmbeddingFailed('The embedding provider gave no embeddings.', { cause: error })
    }
    const { status, headers } = error
    const detail = status
      ? `The embedding provider answered ${status}.`
      : 'The embedding provider could not be reached.'
    return new EmbeddingFailed(detail, { retryAfter: secondsToWait(headers), cause: error })
  }
}

/** Overload, faults and silence; not what another request might not meet, as a wrong model. */
function isFaultOfProvider(error: unknown): boolean {
  if (!(error instanceof APIError)) return error instanceof EmbeddingFailed
  if (error instanceof APIUserAbortError) return false
  return error.status === undefined || error.status === 429 || error.status >= 500
}

const secondsToWait = (headers: Headers | undefined): number => {
  const seconds = Number(headers?.get('retry-after') ?? 1)
  return seconds >= 1 && seconds <= 3600 ? Math.ceil(seconds) : 1
}

function batches(texts: string[]): string[][] {
  const made: string[][] = []
  let characters = 0
  for (const text of texts) {
    const last = made.at(-1)
    characters += text.length
    if (last && last.length < inputsACall && characters <= charactersACall) last.push(text)
    else {
      made.push([text])
      characters = text.length
    }
  }
  return made
}

/** The vectors of an answer in the order of the inputs, by `index` and not by where they stand. */
function readVectors(answer: unknown, count: number): Float32Array[] {
  const vectors: Float32Array[] = []
  for (const item of listIn(answer)) {
    const { index, embedding } = item as { index?: unknown; embedding?: unknown }
    if (!isIndex(index, count) || vectors[index] || !isNumbers(embedding)) {
      throw new EmbeddingFailed('The embedding provider gave no embeddings.')
    }
    vectors[index] = Float32Array.from(embedding)
  }
  const given = vectors.filter(Boolean).length
  if (given !== count) {
    throw new EmbeddingFailed(`The embedding provider gave ${given} embeddings for ${count} texts.`)
  }
  return vectors
}

function listIn(answer: unknown): unknown[] {
  const { data } = (typeof answer === 'object' && answer ? answer : {}) as { data?: unknown }
  return Array.isArray(data) ? data.map((item: unknown) => item ?? {}) : []
}

const isIndex = (value: unknown, count: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'number')
