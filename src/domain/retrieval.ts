import type { QueryMode } from '../../generated/types.gen.ts'
import type { Deadline } from '../deadline.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import type { Fragments } from '../store/fragments.ts'
import type { FragmentTable } from '../store/fragment-table.ts'
import { type Found, inPlace, type SearchFilters, together } from '../store/hits.ts'
import type { Datastore } from './datastores.ts'
import { queryTokens, searchText } from './query-tokens.ts'
import { byBoth, byVector, byWords, candidates, lexical, semantic, type Scored } from './ranking.ts'
import { TextMatcher } from './text-match.ts'
import { embedFor } from './vectors.ts'

/** What to look for; `minScore` is of the mode's own range. */
export type Question = {
  query: string
  topK: number
  filters: SearchFilters
  mode: QueryMode
  minScore?: number | undefined
}

/** Query → words and vector → store → ranked fragments. */
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
   * EmbeddingFailed, EmbeddingTimeout, but for a query by keyword, which needs no embedder
   */
  async query(datastore: Datastore, question: Question, deadline: Deadline): Promise<Scored[]> {
    const { topK, minScore = -1 } = question
    const scored = await this.#scored(datastore, question, deadline)
    return scored
      .toSorted((a, b) => b.score - a.score || inPlace(a.found, b.found))
      .slice(0, topK)
      .filter(({ score }) => score >= minScore)
  }

  async #scored(datastore: Datastore, question: Question, deadline: Deadline): Promise<Scored[]> {
    const { query, mode } = question
    const table = await this.#fragments.of(datastore.id)
    if (mode === 'keyword') {
      const words = await this.#words(table, query)
      return byWords(await this.#holding(table, words, question), words.matcher)
    }
    const [vector] = await embedFor(datastore, this.#embedder, [query], deadline.signal)
    if (mode === 'vector') {
      return byVector(await table.nearest(vector!, question.topK, question.filters), vector!)
    }
    const words = await this.#words(table, query)
    const found = await this.#candidates(table, words, vector!, question)
    return byBoth(found, words.matcher, vector!, this.#embedder.isRemote ? semantic : lexical)
  }

  /**
   * A model finds fragments that words do not. The built-in embedder's vectors find hardly any, and
   * those no better ones: they are asked only where words find too few.
   */
  async #candidates(
    table: FragmentTable,
    words: QueryWords,
    vector: Float32Array,
    question: Question,
  ): Promise<Found[]> {
    const { topK, filters } = question
    const holding = this.#holding(table, words, question)
    if (this.#embedder.isRemote) {
      const nearest = table.nearest(vector, Math.max(topK, candidates), filters)
      return together(...(await Promise.all([holding, nearest])))
    }
    const found = await holding
    if (found.length >= topK) return found
    return together(found, await table.nearest(vector, topK + found.length, filters))
  }

  async #words(table: FragmentTable, query: string): Promise<QueryWords> {
    const counts = await table.wordCounts()
    const tokens = queryTokens(query, counts)
    return { search: searchText(tokens), matcher: new TextMatcher(tokens, counts) }
  }

  async #holding(table: FragmentTable, words: QueryWords, question: Question): Promise<Found[]> {
    if (words.search === '') return []
    // The index's order is not ours, so that it is asked for half as many again.
    const limit = Math.max(Math.ceil(question.topK * 1.5), candidates)
    return table.holding(words.search, limit, question.filters)
  }
}

/** A query's words, as the store is asked for them and as texts are compared with them. */
type QueryWords = { search: string; matcher: TextMatcher }
