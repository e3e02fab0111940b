import type { Deadline } from '../deadline.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import type { Fragments } from '../store/fragments.ts'
import type { Hit, SearchFilters } from '../store/hits.ts'
import type { Datastore } from './datastores.ts'
import { embedFor } from './vectors.ts'

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
   * @throws NotFound when the datastore is deleted meanwhile; EmbeddingModelMismatch,
   * EmbeddingFailed, EmbeddingTimeout
   */
  async query(
    datastore: Datastore,
    query: string,
    topK: number,
    filters: SearchFilters,
    deadline: Deadline,
  ): Promise<Hit[]> {
    const table = await this.#fragments.of(datastore.id)
    const [vector] = await embedFor(datastore, this.#embedder, [query], deadline.signal)
    return table.search(vector!, topK, filters)
  }
}
