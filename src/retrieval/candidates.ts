import type { Deadline } from '../scheduling/deadline.ts'
import type { FragmentTable } from '../store/fragments/fragment-table.ts'
import { byPlace, type Found, type Hit, type SearchFilters, union } from '../store/search/found.ts'
import { dot, normalized } from '../vectors/vector.ts'
import { firstOfCopies } from './copies.ts'
import { firstOfEach } from './per-datasource.ts'
import type { QueryTerms } from './query-terms.ts'

export type Wanted = {
  topK: number
  filters: SearchFilters
  distinct: boolean
  perDatasource?: number | undefined
}

/** At least so many fragments are ranked: what answers is hardly ever further down. */
export const minCandidates = 48
const candidatesAFragment = 1.5
/** How deep other texts are looked for behind copies. */
const maxCandidates = 1_000
const growth = 4
/** So many more fragments of a datasource are ranked than it may have in the answer. */
const spareADatasource = 8

export class Candidates {
  readonly #table: FragmentTable
  readonly #wanted: Wanted
  readonly #deadline: Deadline

  constructor(table: FragmentTable, wanted: Wanted, deadline: Deadline) {
    this.#table = table
    this.#wanted = wanted
    this.#deadline = deadline
  }

  async byWords({ asked }: QueryTerms): Promise<Hit[]> {
    if (asked.size === 0) return []
    const { topK, filters } = this.#wanted
    const count = Math.ceil(topK * candidatesAFragment)
    return this.#enough(count, minCandidates, (limit) =>
      this.#table.byWords(asked, limit, filters, this.#deadline),
    )
  }

  async byVector(vector: Float32Array): Promise<Found[]> {
    return foundOf(await this.#nearest(vector, this.#wanted.topK))
  }

  /** What words find; the nearest vectors fill up what they leave of an answer. */
  async byWordsThenVector(terms: QueryTerms, vector: Float32Array): Promise<Hit[]> {
    const { topK } = this.#wanted
    const hits = await this.byWords(terms)
    if (this.#placesTaken(hits) >= topK) return hits
    return this.#withNearest(hits, await this.#nearest(vector, topK + hits.length))
  }

  /** What either finds: a model finds fragments that words do not. */
  async byWordsAndVector(terms: QueryTerms, vector: Float32Array): Promise<Hit[]> {
    const count = Math.max(this.#wanted.topK, minCandidates)
    const both = [this.byWords(terms), this.#nearest(vector, count)] as const
    const [hits, near] = await Promise.all(both)
    return this.#withNearest(hits, near)
  }

  #nearest(vector: Float32Array, count: number): Promise<Hit[]> {
    const direction = normalized(vector)
    return this.#enough(count, count, async (limit) => {
      const found = await this.#table.nearest(vector, limit, this.#wanted.filters, this.#deadline)
      return found.map((one) => ({ found: one, score: dot(one.vector, direction) }))
    })
  }

  /** At least `count` hits, where there are so many; looks deeper while others take their places. */
  async #enough(
    count: number,
    first: number,
    find: (limit: number) => Promise<Hit[]>,
  ): Promise<Hit[]> {
    const most = Math.max(count, first)
    const { distinct, perDatasource } = this.#wanted
    if (!distinct && perDatasource === undefined) return find(most)
    for (let limit = Math.max(most, minCandidates); ; limit *= growth) {
      const hits = await find(Math.min(limit, maxCandidates))
      const thinned = this.#thinned(hits)
      const isDone = this.#placesTaken(thinned) >= count || hits.length < limit
      if (isDone && perDatasource !== undefined) return thinned
      if (isDone) return thinned.slice(0, Math.max(most, minCandidates))
    }
  }

  /** Without copies, and without most of what a datasource may not have in the answer. */
  #thinned(hits: Hit[]): Hit[] {
    const { distinct, perDatasource } = this.#wanted
    if (!distinct && perDatasource === undefined) return hits
    const sorted = hits.toSorted((a, b) => b.score - a.score || byPlace(a.found, b.found))
    const texts = distinct ? firstOfCopies(sorted) : sorted
    return firstOfEach(texts, perDatasource && perDatasource + spareADatasource)
  }

  #placesTaken(hits: Hit[]): number {
    return firstOfEach(hits, this.#wanted.perDatasource).length
  }

  /** The score of what only vectors found is 0. */
  #withNearest(hits: Hit[], near: Hit[]): Hit[] {
    const scores = new Map(hits.map(({ found, score }) => [placeOf(found), score]))
    const both = union(foundOf(hits), foundOf(near)).map((found) => ({
      found,
      score: scores.get(placeOf(found)) ?? 0,
    }))
    return this.#thinned(both)
  }
}

const foundOf = (hits: Hit[]): Found[] => hits.map(({ found }) => found)

const placeOf = ({ datasourceId, position, updatedAt }: Found): string =>
  `${datasourceId}#${position} ${updatedAt}`
