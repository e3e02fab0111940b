import { median } from 'simple-statistics'
import { failuresOf, type Load } from './load.ts'

/** What was found: the number of a text and its score, the best first. */
export type Found = { number: string; score: number }

/** A way to search. */
export type Retrieval = { name: string; ask(query: string, topK: number): Promise<Found[]> }

/** A system to compare under load, with the numbers of clients to measure it with. */
export type Contender = Retrieval & { clients: number[]; load(clients: number): Promise<Load> }

/** Something to measure again in each round, and what came of it. */
export type Cell = { name: string; clients: number; measure: () => Promise<Load>; loads: Load[] }

export const cellOf = (
  { name, load }: Pick<Contender, 'name' | 'load'>,
  clients: number,
): Cell => ({
  name,
  clients,
  measure: () => load(clients),
  loads: [],
})

/**
 * Measures every cell in each round, the fewest clients first, so that what else the machine does meets
 * them all alike.
 * @throws when one gives anything but success, or nothing within its seconds
 */
export async function takeTurns(cells: Cell[], rounds: number): Promise<void> {
  const turns = cells.toSorted((one, other) => one.clients - other.clients)
  for (const { name, measure, loads } of Array.from({ length: rounds }, () => turns).flat()) {
    const load = await measure()
    const statuses = [...load.outcomes.keys()].join(', ')
    if (failuresOf(load) > 0 || load.rate === 0) throw new Error(`${name}: ${statuses || 'none'}`)
    loads.push(load)
  }
}

/** The median over the rounds. */
export const medianOf = ({ loads }: Cell, figure: keyof Omit<Load, 'outcomes'>): number =>
  median(loads.map((load) => load[figure]))

export type Answer = { numbers: string[]; score: number; milliseconds: number }

/**
 * Asks all queries of all retrievals, one at a time, and each query of one after the other: what else
 * the machine does meanwhile slows them alike. The answers are by retrieval, in its order; `score` is
 * that of the best, and 0 where nothing is found.
 */
export async function askAll(retrievals: Retrieval[], queries: string[], topK: number) {
  const answers = retrievals.map((): Answer[] => [])
  for (const query of queries) {
    for (const [index, { ask }] of retrievals.entries()) {
      const began = performance.now()
      const found = await ask(query, topK)
      const milliseconds = performance.now() - began
      const numbers = found.map(({ number }) => number)
      answers[index]!.push({ numbers, score: found[0]?.score ?? 0, milliseconds })
    }
  }
  return answers
}
