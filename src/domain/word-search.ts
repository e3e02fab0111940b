import type { Deadline } from '../deadline.ts'
import { Best } from '../store/best.ts'
import type { FragmentTable } from '../store/fragment-table.ts'
import { type Found, type Held, inPlace, type SearchFilters, together } from '../store/hits.ts'
import type { WordCounts } from '../store/word-counts.ts'
import type { SoughtTokens } from '../store/word-index.ts'
import { TimeSlice } from '../time-slice.ts'
import { nextTurn } from '../turns.ts'
import { type Choice, choose } from './choice.ts'
import { queryTokens } from './query-tokens.ts'
import { candidates } from './ranking.ts'
import { soughtTokens } from './sought-tokens.ts'
import { TextMatcher } from './text-match.ts'
import { underrated } from './underrated.ts'

/** The store's order is not that of the ranking. */
const chosenForOne = 1.5
/**
 * Nor are its counts of words always of this moment. Where they are, its first 48 are the best 48; where
 * a fiftieth was written since, they are among its first 50. For one of a hundred questions, and where
 * many were written or deleted just now or many texts are alike, that is not enough to be sure.
 */
const foundForOne = 1.08
const foundForOneUnsure = 5
/** Where most of what held a word was deleted, or replaced, some need 20 times as many. */
const foundWhenSkewed = 1_500
/** Each is a search; a query that has more such tokens has others to go by. */
const mostAlone = 8

/** What holds a query's words, and what compares texts with them. */
export type WordFindings = { found: Found[]; matcher: TextMatcher }

/**
 * The fragments that hold most of a query's words among those the filters match, enough for an answer
 * of `topK` to be among them: the same ones until the next write, whatever the store does meanwhile,
 * unless hundreds are as good.
 */
export async function findByWords(
  table: Pick<FragmentTable, 'wordCounts' | 'holding' | 'gone'>,
  { query, topK, filters }: { query: string; topK: number; filters: SearchFilters },
  deadline: Deadline,
): Promise<WordFindings> {
  const counts = await table.wordCounts()
  const { gone } = table
  const tokens = queryTokens(query, counts)
  const sought = soughtTokens(tokens)
  const matcher = new TextMatcher(tokens, sought, counts)
  if (sought.size === 0) return { found: [], matcher }
  const limit = Math.max(Math.ceil(topK * chosenForOne), candidates)
  const holding = async (some: SoughtTokens, count: number) => {
    const held = await table.holding(some, counts, count, filters, deadline)
    await turnToRank(deadline)
    return held
  }
  const search = new WordSearch(sought, counts, gone, matcher, limit, holding, deadline)
  return { found: await search.find(), matcher }
}

/** Searches until it is sure of the best `limit`, as far as that is worth it. */
class WordSearch {
  readonly #sought: SoughtTokens
  readonly #counts: WordCounts
  readonly #gone: number
  readonly #matcher: TextMatcher
  readonly #limit: number
  readonly #holding: (some: SoughtTokens, count: number) => Promise<Held[]>
  readonly #deadline: Deadline
  #slice = new TimeSlice()

  constructor(
    sought: SoughtTokens,
    counts: WordCounts,
    gone: number,
    matcher: TextMatcher,
    limit: number,
    holding: (some: SoughtTokens, count: number) => Promise<Held[]>,
    deadline: Deadline,
  ) {
    this.#sought = sought
    this.#counts = counts
    this.#gone = gone
    this.#matcher = matcher
    this.#limit = limit
    this.#holding = holding
    this.#deadline = deadline
  }

  async find(): Promise<Found[]> {
    let choice = await this.#choose(this.#countAtFirst)
    if (!choice.isSure) choice = await this.#choose(this.#limit * foundForOneUnsure)
    if (!choice.isSure && choice.isSkewed) choice = await this.#choose(foundWhenSkewed)
    return choice.least === 0 ? choice.chosen : this.#withUnderrated(choice)
  }

  get #countAtFirst(): number {
    return Math.ceil(this.#limit * foundForOne)
  }

  async #choose(count: number): Promise<Choice> {
    const held = await this.#held(this.#sought, count)
    return choose(held, this.#best(), this.#worth, this.#pause)
  }

  /** Each that is missed by itself, for then it does not matter how frequent the index takes it for. */
  async #withUnderrated({ chosen, least }: Pick<Choice, 'chosen' | 'least'>): Promise<Found[]> {
    const others = new Map(this.#sought)
    for (let searches = 0; searches < mostAlone; searches++) {
      const token = underrated(others, this.#counts, this.#gone, chosen, least)
      if (!token) break
      others.delete(token[0])
      const each = await this.#held(new Map([token]), this.#countAtFirst)
      const alone = each.flatMap(({ hits }) => hits.map(({ found }) => found))
      const best = this.#best()
      for (const found of together(chosen, alone)) {
        await this.#pause()
        best.offer(found, this.#worth(found))
      }
      chosen = best.found
      least = best.least
    }
    return chosen
  }

  async #held(some: SoughtTokens, count: number): Promise<Held[]> {
    const held = await this.#holding(some, count)
    // What was waited for is no part of it.
    this.#slice = new TimeSlice()
    return held
  }

  readonly #worth = ({ text }: Found): number => this.#matcher.match(text).sought

  /** Of hundreds that hold as much of what is sought, some may have its words in a row, and are better. */
  #best(): Best {
    const wordsOf = ({ text }: Found) => this.#matcher.match(text).words
    return new Best(this.#limit, (a, b) => wordsOf(b) - wordsOf(a) || inPlace(a, b))
  }

  /** To be awaited before each text is compared: it takes a tenth of a millisecond, of new ones. */
  readonly #pause = (): Promise<void> | undefined => {
    this.#deadline.signal.throwIfAborted()
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
