import type { QueryMode } from '../../generated/types.gen.ts'
import type { Deadline } from '../scheduling/deadline.ts'
import type { Datastore } from '../domain/datastores.ts'
import { embedFor } from '../domain/embedding.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import { nextTurn } from '../scheduling/turns.ts'
import type { Fragments } from '../store/fragments/fragments.ts'
import type { FragmentTable } from '../store/fragments/fragment-table.ts'
import type { TermStatistics } from '../store/search/term-sample.ts'
import { byPlace, type Found, type Hit, type SearchFilters, union } from '../store/search/found.ts'
import { type QueryTerms, queryTerms } from './query-terms.ts'
import {
  byBoth,
  byVector,
  byWords,
  lexical,
  minCandidates,
  semantic,
  type Scored,
} from './ranking.ts'
import { SignReader } from './text-signs.ts'

/** What to look for; `minScore` is of the mode's own range. */
export type Question = {
  query: string
  topK: number
  filters: SearchFilters
  mode: QueryMode
  minScore?: number | undefined
}

/** More fragments are found than asked for, since ranking reorders them. */
const candidatesAFragment = 1.5

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
      .toSorted((a, b) => b.score - a.score || byPlace(a.found, b.found))
      .slice(0, topK)
      .filter(({ score }) => score >= minScore)
  }

  /** How common tokens are in a datastore. @throws NotFound when it is deleted meanwhile */
  async statistics(datastore: Datastore): Promise<TermStatistics> {
    return (await this.#fragments.of(datastore.id)).termStatistics()
  }

  /** Whether a fragment may be found by what it means, in other words. */
  findsByMeaning(mode: QueryMode): boolean {
    return this.#embedder.isRemote && mode !== 'keyword'
  }

  async #scored(datastore: Datastore, question: Question, deadline: Deadline): Promise<Scored[]> {
    const { query, mode } = question
    const table = await this.#fragments.of(datastore.id)
    if (mode === 'keyword') {
      const { hits, terms } = await findByWords(table, question, deadline)
      return byWords(hits, terms.ideal)
    }
    const [vector] = await embedFor(datastore, this.#embedder, [query], deadline.signal)
    const nearest = (limit: number) => table.nearest(vector!, limit, question.filters, deadline)
    if (mode === 'vector') return byVector(await nearest(question.topK), vector!)
    const { hits, terms } = await this.#findByBoth(table, question, nearest, deadline)
    // Other requests get a turn before the texts are compared.
    await nextTurn()
    deadline.signal.throwIfAborted()
    const weights = this.#embedder.isRemote ? semantic : lexical
    return byBoth(hits, terms.ideal, new SignReader(terms.idfs), vector!, weights)
  }

  /** A model finds fragments that words do not; the built-in vectors only fill up what words leave. */
  async #findByBoth(
    table: FragmentTable,
    question: Question,
    nearest: (limit: number) => Promise<Found[]>,
    deadline: Deadline,
  ): Promise<WordFindings> {
    const { topK } = question
    if (this.#embedder.isRemote) {
      const both = [
        findByWords(table, question, deadline),
        nearest(Math.max(topK, minCandidates)),
      ] as const
      const [{ hits, terms }, near] = await Promise.all(both)
      return { hits: withNearest(hits, near), terms }
    }
    const { hits, terms } = await findByWords(table, question, deadline)
    if (hits.length >= topK) return { hits, terms }
    return { hits: withNearest(hits, await nearest(topK + hits.length)), terms }
  }
}

type WordFindings = { hits: Hit[]; terms: QueryTerms }

async function findByWords(
  table: FragmentTable,
  { query, topK, filters }: Question,
  deadline: Deadline,
): Promise<WordFindings> {
  const terms = queryTerms(query, await table.termStatistics())
  if (terms.asked.size === 0) return { hits: [], terms }
  const limit = Math.max(Math.ceil(topK * candidatesAFragment), minCandidates)
  return { hits: await table.byWords(terms.asked, limit, filters, deadline), terms }
}

function withNearest(hits: Hit[], near: Found[]): Hit[] {
  const scores = new Map(hits.map(({ found, score }) => [placeOf(found), score]))
  const found = union(
    hits.map((hit) => hit.found),
    near,
  )
  return found.map((one) => ({ found: one, score: scores.get(placeOf(one)) ?? 0 }))
}

const placeOf = ({ datasourceId, position, updatedAt }: Found): string =>
  `${datasourceId}#${position} ${updatedAt}`
