import type { Figure } from './figures.ts'
import { residentOf, type ResidentMemory } from './resident-memory.ts'
import type { Side } from './side.ts'
import { type Cell, medianOf, takeTurns } from './speeds.ts'

/** As many as a server serves well, and then more than it wants to. */
const usual = [16, 64, 128]
const tooMany = 512

const mostRefusalMilliseconds = 50
const leastShare = 0.9
const mostMebibytes = 1024

/** What is left of the rate where there are too many clients, and what they cost. */
export async function measureOverload(
  side: Side,
  rounds: number,
  memory: ResidentMemory,
): Promise<Figure[]> {
  memory.takePeak()
  const cells = await takeTurns([{ ...side, clients: [...usual, tooMany] }], rounds)
  return [...overloadFigures(cells), { ...residentOf(memory.takePeak()), atMost: mostMebibytes }]
}

/** Rates and times are medians over the rounds; refusals are all of them, and the worst round's. */
export function overloadFigures(cells: Cell[]): Figure[] {
  const rates = cells.map(({ clients, reports }) => ({ clients, ...medianOf(reports) }))
  const best = Math.max(...rates.filter(({ clients }) => clients < tooMany).map(({ rate }) => rate))
  const { rate, p50, p99 } = rates.find(({ clients }) => clients === tooMany)!
  const { reports } = cells.find(({ clients }) => clients === tooMany)!
  const refusals = reports.map((report) => report.refusals).filter(({ count }) => count > 0)
  const worst = (figure: 'p50' | 'p99' | 'max') =>
    refusals.length === 0 ? NaN : Math.max(...refusals.map((refusal) => refusal[figure]))
  const sumOf = (figure: 'count' | 'back' | 'again') =>
    refusals.reduce((sum, refusal) => sum + refusal[figure], 0)
  const many = `${tooMany} clients`
  return [
    ...rates.map(({ clients, rate: answers }) => ({
      name: `answers/s, ${clients} clients`,
      value: answers,
      digits: 0,
    })),
    { name: `${many} / the best of fewer`, value: rate / best, digits: 2, atLeast: leastShare },
    { name: `p50 ms of answers, ${many}`, value: p50 },
    { name: `p99 ms of answers, ${many}`, value: p99 },
    { name: `refusals, ${many}`, value: sumOf('count'), digits: 0 },
    {
      name: 'share refused again, of who came back as told',
      value: sumOf('again') / sumOf('back'),
      digits: 2,
    },
    { name: 'p50 ms of refusals', value: worst('p50') },
    { name: 'p99 ms of refusals', value: worst('p99'), atMost: mostRefusalMilliseconds },
    { name: 'longest refusal, ms', value: worst('max'), atMost: mostRefusalMilliseconds },
  ]
}
