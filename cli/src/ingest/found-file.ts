import { createHash } from 'node:crypto'
import { maxLengths } from '../../../generated/max-lengths.gen.ts'

/** A file to ingest. */
export type FoundFile = {
  /** Where it can be read. */
  path: string
  /** Its document's key: its path below the folder, or as it was given, with `/` between. */
  key: string
  /** Its document's name: its path below the folder, or of a file that was given its own name. */
  name: string
  /** The name of the folder that was given, behind the prefix; undefined where the file itself was. */
  folder: string | undefined
  /** A hash of that folder's path; undefined as well. */
  place: string | undefined
  /** Its path with the name of the folder. */
  source: string
}

/** The content of the given folders and files. */
export type Found = {
  files: FoundFile[]
  /** The keys of all files, also of those that were not chosen. */
  keys: Set<string>
  /** Files and folders that could not be read, and why. */
  unread: { path: string; reason: string }[]
}

const lengthOfHash = 16

/** The path, or its end behind a hash of the whole if it is longer than a key may be. */
export function toKey(path: string): string {
  if (path.length <= maxLengths.NewKey) return path
  const hash = createHash('sha256').update(path).digest('hex').slice(0, lengthOfHash)
  return `${hash}…${endOf(path, maxLengths.NewKey - lengthOfHash - 1)}`
}

/** Replaces control characters, which a form would change, and keeps the end of a path that is too long for a name. */
export function toName(path: string): string {
  const name = path.replaceAll(/\p{Cc}/gu, '_')
  return name.length <= maxLengths.DatasourceName
    ? name
    : `…${endOf(name, maxLengths.DatasourceName - 1)}`
}

const endOf = (path: string, length: number): string => [...path].slice(-length).join('')
