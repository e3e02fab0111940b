import { LRUCache } from 'lru-cache'
import type { Log } from '../process/log.ts'

const maxNoted = 1_000

/** Logs who still uses what is deprecated: once for each member, operation and key. */
export function deprecationLog(log: Log): (use: object, members: string[]) => void {
  const noted = new LRUCache<string, true>({ max: maxNoted })
  return (use, members) => {
    for (const member of members) {
      const line = { ...use, deprecated: member }
      const name = JSON.stringify(line)
      if (noted.has(name)) continue
      noted.set(name, true)
      log.warn(line, 'A request uses a deprecated member.')
    }
  }
}
