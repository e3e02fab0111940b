import type { Deadline } from '../deadline.ts'
import type { FragmentTable } from '../store/fragment-table.ts'
import type { Found, SearchFilters } from '../store/hits.ts'
import { nextTurn } from '../turns.ts'
import { choose } from './choice.ts'
import { queryTokens } from './query-tokens.ts'
import { candidates } from './ranking.ts'
import { soughtTokens } from './sought-tokens.ts'
import { TextMatcher } from './text-match.ts'

/** The store's order is not that of the ranking. */
const chosenForOne = 1.5
/**
 * Nor are its counts of words always of this moment. Where they are, its first 48 are the best 48; where
 * a fiftieth was written since, they are among its first 50. For one of a hundred questions, and where
 * many were written or deleted just now or many texts are alike, that is not enough to be sure.
 */
const foundForOne = 1.08
const foundForOneAtMost = 5

/** What holds a query's words, and what compares texts with them. */
export type WordFindings = { found: Found[]; matcher: TextMatcher }

/**
 * The fragments that hold most of a query's words among those the filters match, enough for an answer
 * of `topK` to be among them: the same ones until the next write, whatever the store does meanwhile.
 */
export async function findByWords(
  table: FragmentTable,
  { query, topK, filters }: { query: string; topK: number; filters: SearchFilters },
  deadline: Deadline,
): Promise<WordFindings> {
  const counts = await table.wordCounts()
  const tokens = queryTokens(query, counts)
  const sought = soughtTokens(tokens)
  const matcher = new TextMatcher(tokens, sought, counts)
  if (sought.size === 0) return { found: [], matcher }

  const limit = Math.max(Math.ceil(topK * chosenForOne), candidates)
  const chosenOf = async (times: number) => {
    const held = await table.holding(sought, counts, Math.ceil(limit * times), filters, deadline)
    await turnToRank(deadline)
    return choose(held, limit, ({ text }) => matcher.match(text).sought)
  }
  const first = await chosenOf(foundForOne)
  const { chosen } = first.isSure ? first : await chosenOf(foundForOneAtMost)
  return { found: chosen, matcher }
}

/**
 * To compare texts with words takes some milliseconds: other searches that end meanwhile, and requests
 * that come, are looked at before the next are compared, and what is too late by then is not.
 */
export async function turnToRank(deadline: Deadline): Promise<void> {
  await nextTurn()
  deadline.signal.throwIfAborted()
}
