import type { QueryMode } from '../../generated/types.gen.ts'
import type { Deadline } from '../process/deadline.ts'
import { areConsistent, bestFirst, normalized, union } from '../store/store.ts'
import type { FragmentTable, Found, Hit, SearchFilters } from '../store/types.ts'
import { firstOfCopies, firstOfEach } from './copies.ts'
import type { QueryTerms } from './query-terms.ts'

/** What to look for; `minScore` is of the mode's own range, `distinct` leaves out copies. */
export type Question = {
  query: string
  topK: number
  filters: SearchFilters
  mode: QueryMode
  distinct: boolean
  perDatasource?: number | undefined
  minScore?: number | undefined
}

/** How many fragments are ranked at least. Answers are hardly ever further down. */
export const minCandidates = 48
const candidatesAFragment = 1.5
/** The deepest search for other texts behind copies, before their texts are left out. */
const maxCandidates = 1_000
const growth = 4
const maxSearchesBeyondCopies = 4
const maxTriesForConsistency = 4
/** How many more fragments of a datasource are ranked than it may have in the answer. */
const spareADatasource = 8

type Find = (limit: number, filters: SearchFilters) => Promise<Hit[]>

export class Candidates {
  readonly #table: FragmentTable
  readonly #wanted: Question
  readonly #deadline: Deadline

  constructor(table: FragmentTable, wanted: Question, deadline: Deadline) {
    this.#table = table
    this.#wanted = wanted
    this.#deadline = deadline
  }

  async byWords({ asked }: QueryTerms): Promise<Hit[]> {
    if (asked.size === 0) return []
    const { topK } = this.#wanted
    const count = Math.ceil(topK * candidatesAFragment)
    return this.#enough(count, minCandidates, (limit, filters) =>
      this.#table.byWords(asked, limit, filters, this.#deadline),
    )
  }

  async byVector(vector: Float32Array): Promise<Found[]> {
    return foundOf(await this.#nearest(vector, this.#wanted.topK))
  }

  /** Finds fragments by words. The nearest vectors fill up the rest of an answer. */
  async byWordsThenVector(terms: QueryTerms, vector: Float32Array): Promise<Hit[]> {
    const { topK } = this.#wanted
    return this.#consistent(async () => {
      const hits = await this.byWords(terms)
      if (this.#placesTaken(hits) >= topK) return [hits, []]
      return [hits, await this.#nearest(vector, topK + hits.length)]
    })
  }

  /** Finds fragments by words and by vectors: a model finds fragments that words do not. */
  async byWordsAndVector(terms: QueryTerms, vector: Float32Array): Promise<Hit[]> {
    const count = Math.max(this.#wanted.topK, minCandidates)
    return this.#consistent(() => Promise.all([this.byWords(terms), this.#nearest(vector, count)]))
  }

  /** Searches again, a few times, if a document is replaced between the two searches, which would lose its words. */
  async #consistent(search: () => Promise<[hits: Hit[], near: Hit[]]>): Promise<Hit[]> {
    for (let tries = 1; ; tries++) {
      const [hits, near] = await search()
      const isLast = tries === maxTriesForConsistency
      if (isLast || areConsistent(foundOf(hits), foundOf(near)))
        return this.#withNearest(hits, near)
    }
  }

  #nearest(vector: Float32Array, count: number): Promise<Hit[]> {
    return this.#enough(count, count, async (limit, filters) => {
      const found = await this.#table.nearest(vector, limit, filters, this.#deadline)
      const cosines = cosinesOf(found, vector)
      return found.map((one, index) => ({ found: one, score: cosines[index]! }))
    })
  }

  /** At least `count` hits, if there are so many. Searches deeper while copies or one datasource fill the limit. */
  async #enough(count: number, first: number, find: Find): Promise<Hit[]> {
    const most = Math.max(count, first)
    const { filters, distinct, perDatasource } = this.#wanted
    if (!distinct && perDatasource === undefined) return find(most, filters)
    const isEnough = (hits: Hit[]) => this.#placesTaken(this.#thinned(hits)) >= count
    let hits: Hit[] = []
    for (let limit = Math.max(most, minCandidates); ; limit *= growth) {
      hits = await find(Math.min(limit, maxCandidates), filters)
      if (isEnough(hits) || hits.length < limit) break
    }
    if (distinct && hits.length >= maxCandidates)
      hits = await this.#beyondCopies(hits, isEnough, find)
    const thinned = this.#thinned(hits)
    return perDatasource === undefined ? thinned.slice(0, Math.max(most, minCandidates)) : thinned
  }

  /** Searches on without the texts of copies, because there may be more copies than any search finds. */
  async #beyondCopies(
    copies: Hit[],
    isEnough: (hits: Hit[]) => boolean,
    find: Find,
  ): Promise<Hit[]> {
    const hits = [...copies]
    for (let searches = 0; searches < maxSearchesBeyondCopies && !isEnough(hits); searches++) {
      const notTexts = repeatedTexts(hits)
      if (notTexts.length === 0) break
      const others = await find(maxCandidates, { ...this.#wanted.filters, notTexts })
      hits.push(...others)
      if (others.length < maxCandidates) break
    }
    return hits
  }

  /** Without copies, and without most of the fragments that exceed a datasource's share. */
  #thinned(hits: Hit[]): Hit[] {
    const { distinct, perDatasource } = this.#wanted
    if (!distinct && perDatasource === undefined) return hits
    const sorted = bestFirst(hits)
    const texts = distinct ? firstOfCopies(sorted) : sorted
    return firstOfEach(texts, perDatasource && perDatasource + spareADatasource)
  }

  #placesTaken(hits: Hit[]): number {
    return firstOfEach(hits, this.#wanted.perDatasource).length
  }

  /** The score of a fragment that only vectors found is 0. */
  #withNearest(hits: Hit[], near: Hit[]): Hit[] {
    const scores = new Map(hits.map(({ found, score }) => [placeOf(found), score]))
    const both = union(foundOf(hits), foundOf(near)).map((found) => ({
      found,
      score: scores.get(placeOf(found)) ?? 0,
    }))
    return this.#thinned(both)
  }
}

const repeatedTexts = (hits: Hit[]): string[] =>
  [...Map.groupBy(hits, ({ found }) => found.text)].flatMap(([text, { length }]) =>
    length > 1 ? text : [],
  )

const foundOf = (hits: Hit[]): Found[] => hits.map(({ found }) => found)

const placeOf = ({ datasourceId, position, updatedAt }: Found): string =>
  `${datasourceId}#${position} ${updatedAt}`

export function cosinesOf(found: Found[], vector: Float32Array): number[] {
  const direction = normalized(vector)
  return found.map((one) => dot(one.vector, direction))
}

/** Four sums side by side are faster than one, in which each step waits for the last. */
export function dot(a: Float32Array, b: Float32Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0]
  const whole = a.length & ~3
  for (let index = 0; index < whole; index += 4) {
    first += a[index]! * b[index]!
    second += a[index + 1]! * b[index + 1]!
    third += a[index + 2]! * b[index + 2]!
    fourth += a[index + 3]! * b[index + 3]!
  }
  for (let index = whole; index < a.length; index++) first += a[index]! * b[index]!
  return first + second + third + fourth
}
