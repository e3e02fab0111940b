import type { QueryMode } from '../../generated/types.gen.ts'
import type { Deadline } from '../deadline.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import type { Fragments } from '../store/fragments.ts'
import type { FragmentTable } from '../store/fragment-table.ts'
import { type Found, inPlace, type SearchFilters, together } from '../store/hits.ts'
import { nextTurn } from '../turns.ts'
import type { Datastore } from './datastores.ts'
import { queryTokens } from './query-tokens.ts'
import { byBoth, byVector, byWords, candidates, lexical, semantic, type Scored } from './ranking.ts'
import { searchText } from './search-text.ts'
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
    return best(scored, topK).filter(({ score }) => score >= minScore)
  }

  async #scored(datastore: Datastore, question: Question, deadline: Deadline): Promise<Scored[]> {
    const { query, mode, topK, filters } = question
    const table = await this.#fragments.of(datastore.id)
    const search: Search = {
      nearest: async (vector, limit) =>
        best(byVector(await table.nearest(vector, limit, filters, deadline), vector), limit),
      holding: (tokens, limit) => table.holding(tokens, limit, filters, deadline),
    }
    if (mode === 'keyword') {
      const words = await wordsOf(table, query)
      const found = await holding(search, words, topK)
      await turnToRank(deadline)
      return byWords(found, words.matcher)
    }
    const [vector] = await embedFor(datastore, this.#embedder, [query], deadline.signal)
    if (mode === 'vector') return search.nearest(vector!, topK)
    const words = await wordsOf(table, query)
    const found = await this.#candidates(search, words, vector!, topK)
    await turnToRank(deadline)
    return byBoth(found, words.matcher, vector!, this.#embedder.isRemote ? semantic : lexical)
  }

  /**
   * A model finds fragments that words do not. The built-in embedder's vectors find hardly any, and
   * those no better ones: they are asked only where words find too few.
   */
  async #candidates(
    search: Search,
    words: QueryWords,
    vector: Float32Array,
    topK: number,
  ): Promise<Found[]> {
    const nearest = async (limit: number) =>
      (await search.nearest(vector, limit)).map(({ found }) => found)
    if (this.#embedder.isRemote) {
      const both = [holding(search, words, topK), nearest(Math.max(topK, candidates))] as const
      return together(...(await Promise.all(both)))
    }
    const found = await holding(search, words, topK)
    return found.length >= topK ? found : together(found, await nearest(topK + found.length))
  }
}

/**
 * Ranking by words takes some milliseconds: other searches that end meanwhile, and requests that come,
 * are looked at before the next is ranked, and what is too late by then is not.
 */
async function turnToRank(deadline: Deadline): Promise<void> {
  await nextTurn()
  deadline.signal.throwIfAborted()
}

/** Searches one datastore for one query. */
type Search = {
  nearest: (vector: Float32Array, limit: number) => Promise<Scored[]>
  holding: (tokens: string, limit: number) => Promise<Found[]>
}

/** A query's words, as the store is asked for them and as texts are compared with them. */
type QueryWords = { search: string; matcher: TextMatcher }

async function wordsOf(table: FragmentTable, query: string): Promise<QueryWords> {
  const counts = await table.wordCounts()
  const tokens = queryTokens(query, counts)
  return { search: searchText(tokens), matcher: new TextMatcher(tokens, counts) }
}

async function holding(search: Search, words: QueryWords, topK: number): Promise<Found[]> {
  if (words.search === '') return []
  // The index's order is not ours, so that it is asked for half as many again.
  return search.holding(words.search, Math.max(Math.ceil(topK * 1.5), candidates))
}

const best = (scored: Scored[], count: number): Scored[] =>
  scored.toSorted((a, b) => b.score - a.score || inPlace(a.found, b.found)).slice(0, count)
