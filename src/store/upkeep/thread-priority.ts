import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

const names = /^(?:lance-cpu|tokio-rt-worker)$/
const threads = '/proc/self/task'

/** By how much LanceDB's threads come after the event loop, as in `os.setPriority`. */
export const searchesAfter = 5
const maxPriority = 19

/** The priority that comes after this process's own by so much, as far as there are lower ones. */
export const priorityAfter = (after: number): number => Math.min(maxPriority, getPriority() + after)

/**
 * Gives LanceDB's threads a lower priority than the event loop, for which everybody waits. To be called
 * once the threads are there; a system that forbids it is left as it is.
 */
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
    // It ended meanwhile, or must not be changed.
  }
}
