import { readdirSync, readFileSync } from 'node:fs'

/** The running children of a process. None if the system does not tell. */
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
