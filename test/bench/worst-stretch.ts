import { percentile } from './rounds.ts'

const stretchMilliseconds = 5_000
const stepMilliseconds = 1_000

/**
 * The highest p99 of the times that ended in any five seconds, which begin a second apart from the
 * first end on: over a long run the p99 of all hides what lasts for some seconds only.
 */
export function worstStretch(times: number[], ends: number[]): number {
  const last = Math.max(ends[0] ?? NaN, (ends.at(-1) ?? NaN) - stretchMilliseconds)
  const worst: number[] = []
  for (let start = ends[0] ?? NaN; start <= last; start += stepMilliseconds) {
    const end = start + stretchMilliseconds
    const within = times.filter((_, index) => ends[index]! >= start && ends[index]! <= end)
    if (within.length > 0) worst.push(percentile(within, 0.99))
  }
  return percentile(worst, 1)
}
