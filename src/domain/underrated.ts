import { mostOf, rarity } from '../bm25.ts'
import type { Found } from '../store/hits.ts'
import type { WordCounts } from '../store/word-counts.ts'
import type { SoughtTokens } from '../store/word-index.ts'
import { hashOfToken } from '../token-hash.ts'
import { analysisOf } from './analysed-text.ts'

type Sought = [token: string, times: number]

/** Rarities that differ by a larger share are of different states. */
const skew = 0.1

/**
 * The rarest token that an index has fallen behind with: a text of middle length that holds it once
 * would be worth more than the `least` of what was chosen, and yet not all that hold it are chosen. It
 * takes it for as frequent as it was, say, before most of what held it was deleted.
 *
 * Where it may count so much that is gone that it takes tokens for a good deal more frequent, it is
 * also the rarest of these where one text could hold several, as those of one word, and they are worth
 * more only together.
 *
 * @param gone how many fragments the index may count that are gone, at the most
 */
export function underrated(
  sought: SoughtTokens,
  counts: WordCounts,
  gone: number,
  chosen: Found[],
  least: number,
): Sought | undefined {
  const worthOf = ([token, times]: Sought) =>
    times * rarity(counts.holdersOf(token), counts.fragments)
  const isMissed = ([token]: Sought) => {
    const hash = hashOfToken(token)
    const held = chosen.filter(({ text }) => analysisOf(text).tokens.includes(hash)).length
    return held < Math.min(chosen.length, counts.holdersOf(token))
  }
  const rarestFirst = [...sought].toSorted((a, b) => worthOf(b) - worthOf(a))
  const alone = rarestFirst.filter((one) => worthOf(one) > least).find(isMissed)
  if (alone || gone === 0) return alone
  const isSkewed = ([token]: Sought) => {
    const [holders, { fragments }] = [counts.holdersOf(token), counts]
    // More frequent ones are in what was chosen, or are worth too little.
    if (holders > chosen.length) return false
    return rarity(holders + gone, fragments + gone) < (1 - skew) * rarity(holders, fragments)
  }
  const missed = rarestFirst.filter((one) => isSkewed(one) && isMissed(one))
  const together = missed.reduce((sum, one) => sum + mostOf(worthOf(one)), 0)
  return together > least ? missed[0] : undefined
}
