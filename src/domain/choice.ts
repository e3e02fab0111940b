import { Best } from '../store/best.ts'
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
 * The `limit` best of what was found by words, by a measure that is of all a datastore holds now, and
 * so the same until the next write. Who found them may have counted otherwise: an index counts what it
 * holds, also what is deleted since. So it goes down by their measure until no other can be among the
 * best, as far as those before differ in the two; `isSure` says whether it came to that.
 *
 * @param pause awaited before each is compared, which may take a tenth of a millisecond
 */
export async function choose(
  { hits, others }: Held,
  limit: number,
  worth: (found: Found) => number,
  pause: () => Promise<void> | undefined,
): Promise<Choice> {
  const best = new Best(limit)
  let difference = 0
  const mayTake = (value: number) => best.mayTake(value * (1 + rounding + caution * difference))
  const choice = (isSure: boolean) => ({
    chosen: best.found,
    least: best.least,
    isSure,
    isSkewed: difference > skew,
  })
  for (const { found, value } of hits) {
    if (!mayTake(value)) return choice(true)
    await pause()
    const own = worth(found)
    difference = Math.max(difference, Math.abs(own / value - 1))
    best.offer(found, own)
  }
  return choice(others === 0 || !mayTake(others))
}
