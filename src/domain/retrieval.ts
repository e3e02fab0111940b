import { checkVectors, type Embedder } from '../embeddings/embedder.ts'
import type { Fragments } from '../store/fragments.ts'
import type { Hit, SearchFilters } from '../store/hits.ts'
import type { Datastores } from './datastores.ts'

/** Query → vector → store → ranked fragments. */
export class Retrieval {
  readonly #datastores: Datastores
  readonly #fragments: Fragments
  readonly #embedder: Embedder

  constructor(datastores: Datastores, fragments: Fragments, embedder: Embedder) {
    this.#datastores = datastores
    this.#fragments = fragments
    this.#embedder = embedder
  }

  /**
   * The `topK` fragments most similar to the query among those the filters match, best first.
   * @throws NotFound when there is no such datastore
   */
  async query(
    workspace: string,
    datastoreId: string,
    query: string,
    topK: number,
    filters: SearchFilters,
  ): Promise<Hit[]> {
    await this.#datastores.require(workspace, datastoreId)
    const table = await this.#fragments.of(datastoreId)
    const vectors = await this.#embedder.embed([query])
    checkVectors(vectors, 1, this.#embedder.dimensions)
    return table.search(vectors[0]!, topK, filters)
  }
}
