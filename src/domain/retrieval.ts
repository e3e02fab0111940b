import type { Deadline } from '../deadline.ts'
import { checkVectors, type Embedder } from '../embeddings/embedder.ts'
import type { Fragments } from '../store/fragments.ts'
import type { Hit, SearchFilters } from '../store/hits.ts'
import type { Datastore } from './datastores.ts'

/** Query → vector → store → ranked fragments. */
export class Retrieval {
  readonly #fragments: Fragments
  readonly #embedder: Embedder

  constructor(fragments: Fragments, embedder: Embedder) {
    this.#fragments = fragments
    this.#embedder = embedder
  }

  /**
   * The `topK` fragments most similar to the query among those the filters match, best first.
   * @throws NotFound when the datastore is deleted meanwhile
   */
  async query(
    datastore: Datastore,
    query: string,
    topK: number,
    filters: SearchFilters,
    deadline: Deadline,
  ): Promise<Hit[]> {
    const table = await this.#fragments.of(datastore.id)
    const vectors = await this.#embedder.embed([query], deadline.signal)
    checkVectors(vectors, 1, this.#embedder.dimensions)
    return table.search(vectors[0]!, topK, filters)
  }
}
