import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

const names = /^(?:lance-cpu|tokio-rt-worker)$/
const threads = '/proc/self/task'

/** How much the priority of LanceDB's threads is below the event loop's, as in `os.setPriority`. */
export const searchesAfter = 5
const maxPriority = 19

export const priorityAfter = (after: number): number => Math.min(maxPriority, getPriority() + after)

/** Lowers the priority of LanceDB's threads below the event loop. Call after LanceDB has started them. */
export function lowerThreads(): void {
  const priority = priorityAfter(searchesAfter)
  for (const id of threadIds()) lower(id, priority)
}

function threadIds(): string[] {
  try {
    return readdirSync(threads)
  } catch {
    return []
  }
}

function lower(id: string, priority: number): void {
  try {
    const name = readFileSync(`${threads}/${id}/comm`, 'utf8').trim()
    if (names.test(name)) setPriority(Number(id), priority)
  } catch {
    // The thread ended meanwhile, or the system forbids it.
  }
}
