import type { Deadline } from '../deadline.ts'
import { Best } from '../store/best.ts'
import type { WordQuery } from '../store/fragment-search.ts'
import type { FragmentTable } from '../store/fragment-table.ts'
import { type Found, type Held, type Order, type SearchFilters, together } from '../store/hits.ts'
import type { WordCounts } from '../store/word-counts.ts'
import type { SoughtTokens } from '../store/word-index.ts'
import { TimeSlice } from '../time-slice.ts'
import { nextTurn } from '../turns.ts'
import { choose } from './choice.ts'
import { queryTokens } from './query-tokens.ts'
import { candidates, type Signs, valueOfMatch } from './ranking.ts'
import { soughtTokens } from './sought-tokens.ts'
import { TextMatcher } from './text-match.ts'
import { underrated } from './underrated.ts'

/** The store's order is not that of the ranking. */
const chosenForOne = 1.5
/**
 * Nor are its counts of words always of this moment. Where they are, its first 48 are the best 48 but
 * for one of a hundred questions. Beside 300 new documents a second they are not among its first 52 for
 * half of them, but among twice 48 for 97 of a hundred: then so many are looked for at once, which takes
 * an eighth longer than 52, and of these as many are read as it takes. Where many were written or deleted
 * just now, many texts are alike, or most of what held a word was deleted or replaced, some need 5 times
 * as many, or `mostAlike`.
 */
const foundForOne = 1.08
const foundForOneUnsure = [2, 5]
/** Of more that are alike those that stand first are compared, whatever finds them in which order. */
const mostAlike = 1_500
/** Each is a search; a query that has more such tokens has others to go by. */
const mostAlone = 8

/** What holds a query's words, and what compares texts with them. */
export type WordFindings = { found: Found[]; matcher: TextMatcher }

/**
 * The fragments that hold most of a query's words among those the filters match, enough for an answer
 * of `topK` to be among them: the same ones until the next write, whatever the store does meanwhile, but
 * where an index counts what is gone and more than 1,500 are alike by different words.
 * @param signs what else the ranking goes by, which tells those apart that hold the words as often
 */
export async function findByWords(
  table: Pick<FragmentTable, 'wordCounts' | 'holding' | 'gone' | 'hasFresh'>,
  { query, topK, filters }: { query: string; topK: number; filters: SearchFilters },
  signs: Signs,
  deadline: Deadline,
): Promise<WordFindings> {
  const counts = await table.wordCounts()
  const { gone, hasFresh } = table
  const tokens = queryTokens(query, counts)
  const sought = soughtTokens(tokens)
  const matcher = new TextMatcher(tokens, sought, counts)
  if (sought.size === 0) return { found: [], matcher }
  const limit = Math.max(Math.ceil(topK * chosenForOne), candidates)
  const holding: Holding = (some) => table.holding({ ...some, counts, filters }, deadline)
  const isCounted = gone === 0 && !hasFresh
  const parts = { sought, counts, gone, isCounted, matcher, limit, signs, holding, deadline }
  const search = new WordSearch(parts)
  return { found: await search.find(), matcher }
}

type Holding = (query: Omit<WordQuery, 'counts' | 'filters'>) => Promise<Held[]>

type Parts = {
  sought: SoughtTokens
  counts: WordCounts
  gone: number
  /** Whether the index counts what is there, and nothing else. */
  isCounted: boolean
  matcher: TextMatcher
  limit: number
  signs: Signs
  holding: Holding
  deadline: Deadline
}

/** Searches until it is sure of the best `limit`. */
class WordSearch {
  readonly #parts: Parts
  #slice = new TimeSlice()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async find(): Promise<Found[]> {
    const { limit, sought, isCounted } = this.#parts
    const further = foundForOneUnsure.map((each) => each * limit)
    const counts = [...(isCounted ? [this.#countAtFirst] : []), ...further, mostAlike]
    for (const count of counts) {
      const { best, isSure } = await this.#choose(await this.#held(sought, count))
      if (isSure) return this.#withUnderrated(best)
    }
    const { best } = await this.#choose(await this.#held(sought, mostAlike, 'in place'))
    return this.#withUnderrated(best)
  }

  get #countAtFirst(): number {
    return Math.ceil(this.#parts.limit * foundForOne)
  }

  async #choose(held: Held[]): Promise<{ best: Best; isSure: boolean }> {
    const best = this.#best()
    return { best, isSure: await choose(held, best, this.#worth, this.#pause) }
  }

  /** Each that is missed by itself, for then it does not matter how frequent the index takes it for. */
  async #withUnderrated(best: Best): Promise<Found[]> {
    const { sought, counts, gone } = this.#parts
    const others = new Map(sought)
    let [chosen, least] = [this.#cut(best), best.least]
    for (let searches = 0; searches < mostAlone && least > 0; searches++) {
      const token = underrated(others, counts, gone, chosen, least)
      if (!token) break
      others.delete(token[0])
      const alone = await this.#alone(new Map([token]))
      const better = this.#best()
      for (const found of together(chosen, alone)) {
        await this.#pause()
        better.offer(found, this.#worth(found))
      }
      ;[chosen, least] = [this.#cut(better), better.least]
    }
    return chosen
  }

  /** All that hold it, or of too many those that a search finds in any state. */
  async #alone(token: SoughtTokens): Promise<Found[]> {
    let each = await this.#held(token, this.#countAtFirst)
    const isWhole = each.every(({ others }) => others === 0)
    if (!isWhole) each = await this.#held(token, mostAlike, 'in place')
    return each.flatMap(({ hits }) => hits.map(({ found }) => found))
  }

  async #held(tokens: SoughtTokens, limit: number, order?: Order): Promise<Held[]> {
    const first = this.#countAtFirst
    const reading = limit > first ? { first, isEnough: this.#isEnough } : undefined
    const held = await this.#parts.holding({ tokens, limit, order, reading })
    await this.#turn()
    return held
  }

  /** Whether none of those that were not read can be among the best. */
  readonly #isEnough = async (held: Held): Promise<boolean> => {
    await this.#turn()
    return (await this.#choose([held])).isSure
  }

  async #turn(): Promise<void> {
    await turnToRank(this.#parts.deadline)
    // What was waited for is no part of it.
    this.#slice = new TimeSlice()
  }

  #best(): Best {
    return new Best(this.#parts.limit, Math.max(this.#parts.limit, mostAlike))
  }

  /** Of those that hold as much of what is sought, what is better by all that the ranking goes by. */
  #cut({ hits, least }: Best): Found[] {
    const { limit, matcher, signs } = this.#parts
    const better = hits.filter(({ value }) => value > least).map(({ found }) => found)
    const alike = hits.slice(better.length).map(({ found }) => found)
    if (hits.length <= limit) return [...better, ...alike]
    const mostWords = Math.max(...hits.map(({ found }) => matcher.match(found.text).words))
    const valueOf = ({ text }: Found) => valueOfMatch(matcher.match(text), mostWords, signs)
    const first = alike.toSorted((a, b) => valueOf(b) - valueOf(a))
    return [...better, ...first].slice(0, limit)
  }

  readonly #worth = ({ text }: Found): number => this.#parts.matcher.match(text).sought

  /** To be awaited before each text is compared: it takes a tenth of a millisecond, of new ones. */
  readonly #pause = (): Promise<void> | undefined => {
    this.#parts.deadline.signal.throwIfAborted()
    return this.#slice.pause()
  }
}

/**
 * To compare texts with words takes some milliseconds: other searches that end meanwhile, and requests
 * that come, are looked at before the next are compared, and what is too late by then is not.
 */
export async function turnToRank(deadline: Deadline): Promise<void> {
  await nextTurn()
  deadline.signal.throwIfAborted()
}
