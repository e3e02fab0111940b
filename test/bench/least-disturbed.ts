import type { Figure } from './figures.ts'
import { StolenTime } from './stolen-time.ts'

/** Where others on the same host had more of the processors' time, what was measured tells of them. */
const mostStolen = 0.05

/**
 * Measures, and again as long as others had more than that, at most so many times. It returns the
 * figures of when they had least, whatever those are, with their share and how often was measured.
 * What is done before `measure` calls `begin` counts for nothing.
 */
export async function leastDisturbed(
  tries: number,
  measure: (begin: () => void) => Promise<Figure[]>,
  stolen: Pick<StolenTime, 'takeFigure'> = new StolenTime(),
): Promise<Figure[]> {
  const measured: { figures: Figure[]; others: Figure }[] = []
  const begin = () => void stolen.takeFigure()
  do {
    begin()
    measured.push({ figures: await measure(begin), others: stolen.takeFigure() })
  } while (measured.at(-1)!.others.value > mostStolen && measured.length < tries)
  const [least] = measured.toSorted((a, b) => a.others.value - b.others.value)
  return [
    ...least!.figures,
    least!.others,
    { name: 'times measured', value: measured.length, digits: 0 },
  ]
}
