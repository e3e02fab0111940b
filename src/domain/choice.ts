import type { Best } from '../store/best.ts'
import type { Found, Held } from '../store/hits.ts'

/** LanceDB counts in 32 bits, which leave a difference of some 0.00002. */
const rounding = 0.0001
/** What was not compared may differ twice as much as what was: with once, one choice in 40 missed some. */
const caution = 2

/** Measures that differ by more are of different states: much that held some word came or went. */
const skew = 0.1

/**
 * The best, worth most first. What is not among them is worth `least` at the most, if it `isSure` of that;
 * that is 0 where all that was found is among them. `isSkewed` says that the two measures differ much.
 */
export type Choice = {
  chosen: Found[]
  least: number
  isSure: boolean
  isSkewed: boolean
}

/**
 * The best of what was found by words, by a measure that is of all a datastore holds now, and so the
 * same until the next write. Who found them may have counted otherwise: an index counts what it holds,
 * also what is deleted since. So it goes down what each of these found, by their measure, until no other
 * can be among the best, as far as those before differ in the two; `isSure` says whether it came to that
 * with all of them.
 *
 * @param each of which the first fills `best`, so that enough of them are compared to know by how
 * much it differs: what may have counted otherwise goes first
 * @param best empty; it says how many, and which of those that are worth the same
 * @param pause awaited before each is compared, which may take a tenth of a millisecond
 */
export async function choose(
  each: Held[],
  best: Best,
  worth: (found: Found) => number,
  pause: () => Promise<void> | undefined,
): Promise<Choice> {
  const left = []
  for (const held of each) left.push(await compare(held, best, worth, pause))
  return {
    chosen: best.found,
    least: best.least,
    isSure: left.every(({ most }) => most === 0 || !best.mayTake(most)),
    isSkewed: left.some(({ difference }) => difference > skew),
  }
}

/**
 * Offers what one found until no other can be among the best. What it leaves is worth `most` at the
 * most, 0 where it leaves nothing; `difference` is the largest share by which the two measures differ.
 */
async function compare(
  { hits, others }: Held,
  best: Best,
  worth: (found: Found) => number,
  pause: () => Promise<void> | undefined,
): Promise<{ most: number; difference: number }> {
  let difference = 0
  const mostOf = (value: number) => value * (1 + rounding + caution * difference)
  for (const { found, value } of hits) {
    if (!best.mayTake(mostOf(value))) return { most: mostOf(value), difference }
    await pause()
    const own = worth(found)
    difference = Math.max(difference, Math.abs(own / value - 1))
    best.offer(found, own)
  }
  return { most: mostOf(others), difference }
}
