import type { Best } from '../store/best.ts'
import type { Found, Held } from '../store/hits.ts'

/** LanceDB counts in 32 bits, which leave a difference of some 0.00002. */
const rounding = 0.0001
/** What was not compared may differ twice as much as what was: with once, one choice in 40 missed some. */
const caution = 2

/**
 * Offers what was found by words to the best, by a measure that is of all a datastore holds now, and so the
 * same until the next write. Who found them may have counted otherwise: an index counts what it holds,
 * also what is deleted since. So it goes down what each of these found, by their measure, until no other
 * can be among the best, as far as those before differ in the two. Of what is mixed, how those before
 * differ does not say how the next do, and it goes down all of it.
 *
 * @param each of which the first fills `best`, so that enough of them are compared to know by how
 * much it differs: what may have counted otherwise goes first
 * @param best empty
 * @param pause awaited before each is compared, which may take a tenth of a millisecond
 * @returns whether it came to that with all of them
 */
export async function choose(
  each: Held[],
  best: Best,
  worth: (found: Found) => number,
  pause: () => Promise<void> | undefined,
): Promise<boolean> {
  const left = []
  for (const held of each) left.push(await compare(held, best, worth, pause))
  return left.every((most) => most === 0 || !best.mayTake(most))
}

/**
 * Offers what one found until no other can be among the best.
 * @returns what is worth the most that it leaves, at the most; 0 where it leaves nothing
 */
async function compare(
  { hits, others, isMixed = false }: Held,
  best: Best,
  worth: (found: Found) => number,
  pause: () => Promise<void> | undefined,
): Promise<number> {
  /** The largest share by which the two measures differ. */
  let difference = 0
  const mostOf = (value: number) => value * (1 + rounding + caution * difference)
  for (const { found, value } of hits) {
    if (!isMixed && !best.mayTake(mostOf(value))) return mostOf(value)
    await pause()
    const own = worth(found)
    difference = Math.max(difference, Math.abs(own / value - 1))
    best.offer(found, own)
  }
  return mostOf(others)
}
