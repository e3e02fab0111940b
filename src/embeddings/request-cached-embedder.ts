import type { Embedder } from './embedder.ts'
import type { Prefixes } from './prefixes.ts'

/** Embeds a query once per request, however many datastores it searches. */
export class RequestCachedEmbedder implements Embedder {
  readonly #embedder: Embedder
  readonly #asked = new WeakMap<AbortSignal, Map<string, Promise<Float32Array[]>>>()

  constructor(embedder: Embedder) {
    this.#embedder = embedder
  }

  get model(): string {
    return this.#embedder.model
  }

  get dimensions(): number | undefined {
    return this.#embedder.dimensions
  }

  get isModel(): boolean {
    return this.#embedder.isModel
  }

  get prefixes(): Prefixes | undefined {
    return this.#embedder.prefixes
  }

  embed(texts: string[], signal: AbortSignal, workspace: string): Promise<Float32Array[]> {
    const [text] = texts
    if (text === undefined || texts.length > 1)
      return this.#embedder.embed(texts, signal, workspace)
    const ofRequest = this.#asked.get(signal) ?? new Map<string, Promise<Float32Array[]>>()
    this.#asked.set(signal, ofRequest)
    const vectors = ofRequest.get(text) ?? this.#embedder.embed(texts, signal, workspace)
    ofRequest.set(text, vectors)
    vectors.catch(() => ofRequest.delete(text))
    return vectors
  }
}
