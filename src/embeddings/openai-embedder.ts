import OpenAI from 'openai'
import type { ProviderConfig } from '../config.ts'
import { EmbeddingTimeout } from '../errors.ts'
import { checkVectors, type Embedder } from './embedder.ts'
import { readVectors } from './provider-answer.ts'
import { createProviderFetch } from './provider-fetch.ts'
import { toFailure } from './provider-failure.ts'
import { createPolicy, fromPolicy } from './provider-policy.ts'

/** Of one call: the default limit of TEI, the strictest server in use. */
const maxInputs = 32
/** Far below OpenAI's 300,000 tokens, in any language. */
const maxCharacters = 100_000

export class OpenAiEmbedder implements Embedder {
  readonly model: string
  readonly dimensions: number | undefined
  readonly isRemote = true
  readonly #client: OpenAI
  readonly #timeout: number
  readonly #policy = createPolicy()

  constructor({ model, apiKey, baseUrl, dimensions, timeout }: ProviderConfig) {
    this.model = model
    this.dimensions = dimensions
    this.#timeout = timeout
    // What is left out here the library looks for in the environment.
    this.#client = new OpenAI({
      apiKey: apiKey ?? 'none',
      baseURL: baseUrl,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: 'off',
      // The signal in `#ask` ends a call first.
      timeout: 2 * timeout * 1000,
      maxRetries: 0,
      fetch: createProviderFetch(apiKey),
    })
  }

  async embed(texts: string[], signal: AbortSignal): Promise<Float32Array[]> {
    const failure = new AbortController()
    const either = AbortSignal.any([signal, failure.signal])
    try {
      const calls = toBatches(texts).map((batch) =>
        this.#policy.execute(() => this.#ask(batch, either)),
      )
      return (await Promise.all(calls)).flat()
    } catch (error) {
      failure.abort()
      signal.throwIfAborted()
      throw fromPolicy(error)
    }
  }

  /** Asks for one vector, without retries. @throws EmbeddingFailed, EmbeddingTimeout */
  async probe(): Promise<void> {
    const vectors = await this.#ask(['A text.'], new AbortController().signal, true)
    checkVectors(vectors, 1, this.dimensions ?? vectors[0]?.length ?? 0)
  }

  async #ask(input: string[], signal: AbortSignal, isOwnText = false): Promise<Float32Array[]> {
    signal.throwIfAborted()
    // The library's own timeout covers only a part of the answer.
    const late = AbortSignal.timeout(this.#timeout * 1000)
    try {
      const options = { signal: AbortSignal.any([signal, late]) }
      const asked = this.#client.embeddings.create(
        {
          model: this.model,
          input,
          encoding_format: 'float',
          ...(this.dimensions && { dimensions: this.dimensions }),
        },
        options,
      )
      return await readVectors(await asked.asResponse(), input.length, this.dimensions)
    } catch (error) {
      signal.throwIfAborted()
      throw late.aborted ? new EmbeddingTimeout(this.#timeout) : toFailure(error, isOwnText)
    }
  }
}

function toBatches(texts: string[]): string[][] {
  const batches: string[][] = []
  let characters = 0
  for (const text of texts) {
    const last = batches.at(-1)
    characters += text.length
    if (last && last.length < maxInputs && characters <= maxCharacters) last.push(text)
    else {
      batches.push([text])
      characters = text.length
    }
  }
  return batches
}
