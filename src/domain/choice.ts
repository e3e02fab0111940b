import { Best } from '../store/best.ts'
import type { Found, Held } from '../store/hits.ts'

/** LanceDB counts in 32 bits, which leave a difference of some 0.00002. */
const rounding = 0.0001
/** What was not compared may differ twice as much as what was: with once, one choice in 40 missed some. */
const caution = 2

/**
 * The `limit` best of what was found by words, by a measure that is of all a datastore holds now, and
 * so the same until the next write. Who found them may have counted otherwise: an index counts what it
 * holds, also what is deleted since. So it goes down by their measure until no other can be among the
 * best, as far as those before differ in the two; `isSure` says whether it came to that.
 */
export function choose(
  { hits, others }: Held,
  limit: number,
  worth: (found: Found) => number,
): { chosen: Found[]; isSure: boolean } {
  const best = new Best(limit)
  let difference = 0
  const mayTake = (value: number) => best.mayTake(value * (1 + rounding + caution * difference))
  for (const { found, value } of hits) {
    if (!mayTake(value)) return { chosen: best.found, isSure: true }
    const own = worth(found)
    difference = Math.max(difference, Math.abs(own / value - 1))
    best.offer(found, own)
  }
  return { chosen: best.found, isSure: others === 0 || !mayTake(others) }
}
