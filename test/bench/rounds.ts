import type { Text } from './collection.ts'
import type { Retrieval } from './retrieval.ts'

/** A round that takes at least this share of the time of the one before is no faster. */
const noFaster = 0.9
const mostRounds = 10

export type Answer = { query: Text; ranked: string[]; milliseconds: number }

/**
 * Asks all queries of all retrievals, one at a time, and each query of one after the other: what else
 * the machine does meanwhile slows them alike. The answers are by retrieval, in its order.
 */
export async function askAll(
  retrievals: Retrieval[],
  queries: Text[],
  topK: number,
): Promise<Answer[][]> {
  const answers = retrievals.map((): Answer[] => [])
  for (const query of queries) {
    for (const [index, { ask }] of retrievals.entries()) {
      const began = performance.now()
      const ranked = await ask(query.text, topK)
      answers[index]!.push({ query, ranked, milliseconds: performance.now() - began })
    }
  }
  return answers
}

/**
 * Asks all queries until a round is no faster than the one before: by then the code is warm, and the
 * service has done what it does after writes.
 */
export async function settle(retrievals: Retrieval[], queries: Text[]): Promise<void> {
  let before = Infinity
  for (let round = 1; round <= mostRounds; round++) {
    const began = performance.now()
    await askAll(retrievals, queries, 10)
    const took = performance.now() - began
    if (took > before * noFaster) return
    before = took
  }
}

/** The smallest of the numbers that this share of them do not exceed. */
export function percentile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN
}
