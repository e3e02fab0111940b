import type { QueryMode } from '../../generated/types.gen.ts'
import type { Deadline } from '../deadline.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import type { Fragments } from '../store/fragments.ts'
import { type Found, inPlace, type SearchFilters, together } from '../store/hits.ts'
import type { Datastore } from './datastores.ts'
import {
  byBoth,
  byVector,
  byWords,
  candidates,
  lexical,
  semantic,
  type Scored,
  wordsAlone,
} from './ranking.ts'
import { embedFor } from './vectors.ts'
import { findByWords, turnToRank, type WordFindings } from './word-search.ts'

/** What to look for; `minScore` is of the mode's own range. */
export type Question = {
  query: string
  topK: number
  filters: SearchFilters
  mode: QueryMode
  minScore?: number | undefined
}

/** So many more are found where there are more than a few others as near. */
const mostAlike = 200
/** Fewer than are found beside those that are asked for: of so few all are there. */
const fewAlike = 3

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
    return inOrder(scored)
      .slice(0, topK)
      .filter(({ score }) => score >= minScore)
  }

  async #scored(datastore: Datastore, question: Question, deadline: Deadline): Promise<Scored[]> {
    const { query, mode, topK, filters } = question
    const table = await this.#fragments.of(datastore.id)
    if (mode === 'keyword') {
      const { found, matcher } = await findByWords(table, question, wordsAlone, deadline)
      return byWords(found, matcher)
    }
    const [vector] = await embedFor(datastore, this.#embedder, [query], deadline.signal)
    const near = async (limit: number) =>
      inOrder(byVector(await table.nearest(vector!, limit, filters, deadline), vector!))
    if (mode === 'vector') return nearest(topK, near)
    const alsoNearest = async (limit: number) => {
      const scored = await nearest(limit, near)
      await turnToRank(deadline)
      return scored.map(({ found }) => found)
    }
    const weights = this.#embedder.isRemote ? semantic : lexical
    const byItsWords = () => findByWords(table, question, weights, deadline)
    const { found, matcher } = await this.#candidates(byItsWords, alsoNearest, topK)
    return byBoth(found, matcher, vector!, weights)
  }

  /**
   * A model finds fragments that words do not. The built-in embedder's vectors find hardly any, and
   * those no better ones: they are asked only where words find too few.
   */
  async #candidates(
    byItsWords: () => Promise<WordFindings>,
    alsoNearest: (limit: number) => Promise<Found[]>,
    topK: number,
  ): Promise<WordFindings> {
    if (this.#embedder.isRemote) {
      const both = [byItsWords(), alsoNearest(Math.max(topK, candidates))] as const
      const [{ found, matcher }, near] = await Promise.all(both)
      return { found: together(found, near), matcher }
    }
    const { found, matcher } = await byItsWords()
    if (found.length >= topK) return { found, matcher }
    return { found: together(found, await alsoNearest(topK + found.length)), matcher }
  }
}

/**
 * The `limit` nearest. Of many that are equally near, those that stand first: which of them a search
 * finds is another matter after every merger of files.
 */
async function nearest(limit: number, near: (limit: number) => Promise<Scored[]>) {
  const found = await near(limit)
  const further = found[limit - 1 + fewAlike]
  const areAlike = further !== undefined && further.score === found[limit - 1]!.score
  return (areAlike ? await near(limit + mostAlike) : found).slice(0, limit)
}

/** The best first, and of those with equal scores what stands first. */
const inOrder = (scored: Scored[]): Scored[] =>
  scored.toSorted((a, b) => b.score - a.score || inPlace(a.found, b.found))
