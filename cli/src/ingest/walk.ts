import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { faultOfPath, messageOf } from '../messages.ts'
import type { Found } from './found-file.ts'

/**
 * The files below a folder, in order. Hidden ones are left out, and so are links, which may lead out of
 * the folder or in a circle, and `node_modules`, unless the folder is or stands in one.
 */
export async function* walk(
  folder: string,
  unread: Found['unread'],
  withModules = resolve(folder).split(sep).includes('node_modules'),
): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    unread.push({ path: folder, reason: faultOfPath(error) ?? messageOf(error) })
    return []
  })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') || (entry.name === 'node_modules' && !withModules)) continue
    if (!entry.isDirectory() && !entry.isFile()) continue
    // Node puts U+FFFD where a name is no UTF-8, and such a path leads nowhere.
    if (entry.name.includes('\ufffd') && !existsSync(path)) {
      unread.push({ path, reason: 'has a name that is not UTF-8; rename it' })
    } else if (entry.isDirectory()) yield* walk(path, unread, withModules)
    else yield path
  }
}
