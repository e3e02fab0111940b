import { readdirSync, readFileSync } from 'node:fs'

/** The processes that a process has started and that are there. Where the system does not tell, none. */
export function childrenOf(pid: number): number[] {
  try {
    const threads = `/proc/${pid}/task`
    return readdirSync(threads).flatMap((thread) =>
      readFileSync(`${threads}/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}
