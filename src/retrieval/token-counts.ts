import type { TermStatistics } from '../store/types.ts'

/** A token of a query; a weight of 1 is a gram's. */
export type Weighted = { token: string; weight: number }

/** `times` counts the query; `holders` is about how many fragments hold the token. */
export type Counted = { weight: number; times: number; holders: number }

export const maxHoldersOfRare = 5

export function countTokens(tokens: Weighted[], statistics: TermStatistics): Map<string, Counted> {
  const all = new Map<string, Counted>()
  for (const { token, weight } of tokens) {
    const known = all.get(token)
    if (known) {
      known.times += 1
      known.weight = Math.max(known.weight, weight)
    } else all.set(token, { weight, times: 1, holders: 0 })
  }
  const holders = statistics.documentFrequencies([...all.keys()])
  for (const [index, one] of [...all.values()].entries()) one.holders = holders[index]!
  return all
}

/** The tokens with the lowest document frequency. Tokens that no fragment seems to hold come last. */
export function rarest(tokens: Map<string, Counted>, max: number): Map<string, Counted> {
  if (tokens.size <= max) return tokens
  const order = ({ holders }: Counted) => holders || Number.MAX_SAFE_INTEGER
  return new Map([...tokens].toSorted(([, a], [, b]) => order(a) - order(b)).slice(0, max))
}
