import { chroma, hybridMode, raw, vectorMode } from './side.ts'
import type { Measured } from './speeds.ts'

export type Ratio = { name: string; value: number }

/** How many clients throughput is compared at: the better of these counts. */
const many = [64, 128]

/** How the service does beside the others; NaN where one of the two was not measured. */
export function ratiosOf(measured: Measured[]): Ratio[] {
  const speeds = (side: string, clients: number[]) =>
    measured
      .filter((one) => one.side === side && clients.includes(one.clients))
      .map(({ speed }) => speed)
  const best = (side: string, clients: number[]) => {
    const rates = speeds(side, clients).map(({ rate }) => rate)
    return rates.length === 0 ? NaN : Math.max(...rates)
  }
  const alone = (side: string) => speeds(side, [1])[0]?.p50 ?? NaN
  return [
    {
      name: 'queries/s, vector mode / Chroma, each at its better of 64 and 128 clients',
      value: best(vectorMode, many) / best(chroma, many),
    },
    {
      name: 'queries/s, hybrid mode / Chroma, each at its better of 64 and 128 clients',
      value: best(hybridMode, many) / best(chroma, many),
    },
    {
      name: 'queries/s, vector mode at its better of 64 and 128 clients / LanceDB with 16 callers',
      value: best(vectorMode, many) / best(raw, [16]),
    },
    {
      name: 'p50 of one client, vector mode / LanceDB',
      value: alone(vectorMode) / alone(raw),
    },
  ]
}
