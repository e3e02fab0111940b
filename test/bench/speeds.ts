import { percentile } from './rounds.ts'
import type { Side } from './side.ts'
import type { LoadReport } from './timed-load.ts'

/** Answers a second, and milliseconds. */
export type Speed = { rate: number; p50: number; p95: number; p99: number }

export type Measured = { side: string; clients: number; speed: Speed }

/** What each round gave of a side with so many clients. */
export type Cell = { side: Side; clients: number; reports: LoadReport[] }

/** How fast each side is with each number of clients: the medians over the rounds. */
export async function measureSpeeds(sides: Side[], rounds: number): Promise<Measured[]> {
  const cells = await takeTurns(sides, rounds)
  return cells.map(({ side, clients, reports }) => ({
    side: side.name,
    clients,
    speed: medianOf(reports),
  }))
}

/**
 * In a round the sides take turns at each number of clients, so that what else the machine does meets
 * them all alike.
 * @throws when a side fails to answer anything
 */
export async function takeTurns(sides: Side[], rounds: number): Promise<Cell[]> {
  const cells = sides.flatMap((side) =>
    side.clients.map((clients): Cell => ({ side, clients, reports: [] })),
  )
  const turns = cells.toSorted((one, other) => one.clients - other.clients)
  for (let round = 1; round <= rounds; round++) {
    for (const { side, clients, reports } of turns) {
      const report = await side.load(clients)
      const { count, first } = report.failures
      if (count > 0) throw new Error(`${side.name}: ${count} failed, the first with ${first}`)
      reports.push(report)
    }
  }
  return cells
}

export const medianOf = (reports: LoadReport[]): Speed => {
  const of = (figure: keyof Speed) => median(reports.map((report) => report[figure]))
  return { rate: of('rate'), p50: of('p50'), p95: of('p95'), p99: of('p99') }
}

/** The middle one, or the mean of the two in the middle. */
export const median = (numbers: number[]): number =>
  (percentile(numbers, 0.5) -
    percentile(
      numbers.map((number) => -number),
      0.5,
    )) /
  2
