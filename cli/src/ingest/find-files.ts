import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, normalize, parse, relative, resolve, sep } from 'node:path'
import { faultOfPath, messageOf } from '../messages.ts'
import type { IsChosen } from './file-patterns.ts'
import { type Found, toKey, toName } from './found-file.ts'

/** Every file of the given folders and files, in order. Missing ones are reported in `unread`. */
export async function findFiles(
  paths: string[],
  prefix: string,
  isChosen: IsChosen,
): Promise<Found> {
  const found: Found = { files: [], keys: new Set(), unread: [] }
  for (const path of paths) {
    const stats = await stat(path).catch((error) => {
      found.unread.push({ path, reason: faultOfPath(error) ?? messageOf(error) })
    })
    if (!stats) continue
    if (stats.isDirectory()) await addFolder(found, path, prefix, isChosen)
    else if (stats.isFile()) addFile(found, path, prefix, isChosen)
    else found.unread.push({ path, reason: noFile })
  }
  return found
}

/** Reading a pipe that nobody writes to would never end. */
const noFile = 'is no file: send what comes from a pipe by standard input, as -'

async function addFolder(found: Found, path: string, prefix: string, isChosen: IsChosen) {
  const folder = `${prefix}${basename(resolve(path))}`
  const place = placeOf(path)
  for await (const inside of walk(path, found.unread)) {
    const below = slashed(relative(path, inside))
    const key = toKey(`${prefix}${below}`)
    found.keys.add(key)
    if (!isChosen(below)) continue
    found.files.push({
      path: inside,
      key,
      name: toName(below),
      folder,
      place,
      source: `${folder}/${below}`,
    })
  }
}

function addFile(found: Found, path: string, prefix: string, isChosen: IsChosen) {
  const given = givenKey(path)
  const key = toKey(`${prefix}${given}`)
  found.keys.add(key)
  if (!isChosen(given)) return
  const none = { folder: undefined, place: undefined }
  found.files.push({ path, key, name: toName(basename(key)), ...none, source: key })
}

/** A hash, because readers of the documents should not see the paths of a machine. */
export const placeOf = (path: string): string =>
  createHash('sha256').update(resolve(path)).digest('hex').slice(0, 8)

export const slashed = (path: string): string => path.split(sep).join('/')

/** The path as given, without steps out of the working directory. */
function givenKey(path: string): string {
  const inside = relative('', path)
  const isOutside = inside.startsWith('..') || isAbsolute(inside)
  const plain = isOutside ? normalize(path).slice(parse(path).root.length) : inside
  return slashed(plain).replace(/^(\.\.\/)+/, '')
}

/**
 * The files below a folder, in order. Hidden ones are left out, and so are links, which may lead out of
 * the folder or in a circle, and `node_modules`, unless the folder is one or is inside one.
 */
async function* walk(
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
