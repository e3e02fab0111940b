import type { Embedder } from './embedder.ts'
import type { Prefixes } from './prefixes.ts'

/** Has a query embedded once for each request, however many datastores it is put to. */
export class OncePerRequest implements Embedder {
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

  get isRemote(): boolean {
    return this.#embedder.isRemote
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
    // Whoever asks again after a failure is not given the old one.
    vectors.catch(() => ofRequest.delete(text))
    return vectors
  }
}
