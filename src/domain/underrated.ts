import { rarity } from '../bm25.ts'
import type { Found } from '../store/hits.ts'
import type { WordCounts } from '../store/word-counts.ts'
import type { SoughtTokens } from '../store/word-index.ts'
import { hashOfToken } from '../token-hash.ts'
import { analysisOf } from './analysed-text.ts'

/**
 * The rarest token that an index has fallen behind with: a text of middle length that holds it once
 * would be worth more than the `least` of what was chosen, and yet not all that hold it are chosen. It
 * takes it for as frequent as it was, say, before most of what held it was deleted.
 */
export function underrated(
  sought: SoughtTokens,
  counts: WordCounts,
  chosen: Found[],
  least: number,
): [token: string, times: number] | undefined {
  const worthOf = ([token, times]: [string, number]) =>
    times * rarity(counts.holdersOf(token), counts.fragments)
  const isMissed = ([token]: [string, number]) => {
    const hash = hashOfToken(token)
    const held = chosen.filter(({ text }) => analysisOf(text).tokens.includes(hash)).length
    return held < Math.min(chosen.length, counts.holdersOf(token))
  }
  return [...sought]
    .filter((one) => worthOf(one) > least)
    .toSorted((a, b) => worthOf(b) - worthOf(a))
    .find(isMissed)
}
