import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** How many bytes the files of a folder have. Some may go while they are counted. */
export function bytesIn(folder: string): number {
  const sizes = entriesOf(folder).map((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return bytesIn(path)
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
