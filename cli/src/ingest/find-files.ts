import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename, isAbsolute, normalize, parse, relative, resolve, sep } from 'node:path'
import { faultOfPath, messageOf } from '../messages.ts'
import type { IsChosen } from './file-patterns.ts'
import { type Found, toName } from './found-file.ts'
import { walk } from './walk.ts'

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
    const key = `${prefix}${below}`
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
  const key = `${prefix}${given}`
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
