import { copyFileSync, mkdirSync, readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from './random.ts'

/** A file: when it was last written, and when the last sync began that ended well. */
export type File = { written: number; synced: number; isEmpty: boolean }
/** A directory: what it holds for the processes, and what of that is on the disk. */
export type Folder = { now: Map<string, Entry>; kept: Map<string, Entry> }
export type Entry = File | Folder

export const isFolder = (entry: Entry | undefined): entry is Folder =>
  entry !== undefined && 'now' in entry

export function set(entries: Map<string, Entry>, name: string, entry: Entry | undefined): void {
  if (entry) entries.set(name, entry)
  else entries.delete(name)
}

/** A directory that is on the disk with all that is in it. */
export function foundAt(path: string): Folder {
  const entries = readdirSync(path, { withFileTypes: true }).map((entry) => {
    const inner = join(path, entry.name)
    const found: Entry = entry.isDirectory()
      ? foundAt(inner)
      : { written: -1, synced: 0, isEmpty: false }
    return [entry.name, found] as const
  })
  return { now: new Map(entries), kept: new Map(entries) }
}

/** @throws where a directory is not what was followed of it */
export function checkSame({ now }: Folder, path: string): void {
  const names = readdirSync(path).toSorted()
  const followed = [...now.keys()].toSorted()
  if (String(names) !== String(followed)) {
    throw new Error(`${path} holds ${names}, and not ${followed}.`)
  }
  for (const [name, entry] of now) {
    const inner = join(path, name)
    if (isFolder(entry)) checkSame(entry, inner)
    else if (entry.isEmpty && statSync(inner).size > 0) {
      throw new Error(`${inner} was written by no call that was followed.`)
    }
  }
}

/** Where each file is to be read. */
export function placesOf(
  { now }: Folder,
  path: string,
  places = new Map<Entry, string>(),
): Map<Entry, string> {
  for (const [name, entry] of now) {
    places.set(entry, join(path, name))
    if (isFolder(entry)) placesOf(entry, join(path, name), places)
  }
  return places
}

/** Makes what the disk has of a directory; files that were not synced come as it happens. */
export function build(
  { kept }: Folder,
  target: string,
  places: ReadonlyMap<Entry, string>,
  random: Random,
): void {
  mkdirSync(target, { recursive: true })
  for (const [name, entry] of kept) {
    const inner = join(target, name)
    if (isFolder(entry)) build(entry, inner, places, random)
    else copy(entry, places.get(entry), inner, random)
  }
}

/** Without a place its content is gone: it was replaced by another file. */
function copy(file: File, from: string | undefined, to: string, random: Random): void {
  const fate = file.synced > file.written ? 'whole' : random.pick(fates)
  if (from === undefined || fate === 'vanished') return
  copyFileSync(from, to)
  const { size } = statSync(to)
  if (fate === 'emptied') truncateSync(to, 0)
  if (fate === 'cut') truncateSync(to, Math.floor(size / 2))
}

/** For what was never synced, but may have been written by the system. */
const fates = ['vanished', 'emptied', 'cut', 'whole'] as const
