import { lstatSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  build,
  checkSame,
  type Entry,
  type Folder,
  foundAt,
  isFolder,
  placesOf,
  set,
} from './simulated-files.ts'
import type { Random } from './random.ts'
import type { Call } from './strace.ts'

/** An atomic change of directories: the disk has all of it or nothing. */
type Change = {
  ended: number
  /** Which names are now what, or gone. */
  sets: { folder: Folder; name: string; entry: Entry | undefined }[]
}

/**
 * What a disk has of a directory whose processes made these calls. A file is as it was when it was
 * last synced; one that was written since may be anything. A new name is there once its directory
 * was synced; until then it may be. A name that was taken away is gone at once, for what was behind
 * it cannot be had any more.
 */
export class Disk {
  readonly #directory: string
  readonly #root: Folder
  /** What no sync of a directory has put on the disk yet, in order. */
  #loose: Change[] = []

  /** All that is in the directory is on the disk. */
  constructor(directory: string) {
    this.#directory = directory
    this.#root = foundAt(directory)
  }

  /** @throws where the directory is not as the calls left it, so that some were not understood */
  replay(calls: Call[]): void {
    for (const call of calls) this.#apply(call)
    checkSame(this.#root, this.#directory)
  }

  /** Makes a directory as the disk may have it after a power cut. */
  cut(target: string, random: Random): void {
    for (const change of this.#loose) {
      if (change.sets.every(({ entry }) => !entry) || random.chance(0.5)) keep(change)
    }
    build(this.#root, target, placesOf(this.#root, this.#directory), random)
  }

  #apply({ name, args, began, ended }: Call): void {
    const paths = pathsOf(args)
    const isOpen = ended === Infinity
    const [path = '', second = ''] = paths
    if (/^f(data)?sync$/.test(name)) {
      if (!isOpen) this.#sync(this.#at(filesOf(args)[0]), began)
    } else if (/^(sync|syncfs|sync_file_range|msync)$/.test(name)) {
      throw new Error(`${name} is not understood.`)
    } else if (/^(open|openat|openat2|creat)$/.test(name)) {
      this.#open(path, args, ended)
    } else if (name.startsWith('mkdir')) {
      if (!this.#at(path) && existsAt(path, isOpen)) {
        this.#change(ended, [path, { now: new Map(), kept: new Map() }])
      }
    } else if (/^(unlink|rmdir)/.test(name)) {
      if (!isOpen || !exists(path)) this.#change(ended, [path, undefined])
    } else if (name.startsWith('link')) {
      if (existsAt(second, isOpen)) this.#change(ended, [second, this.#at(path)])
    } else if (name.startsWith('rename')) {
      const moved = this.#at(path)
      if (isOpen && exists(path)) return
      this.#change(ended, [path, undefined], [second, moved])
    } else {
      const file = this.#at(path || filesOf(args).at(name === 'copy_file_range' ? -1 : 0))
      if (file && !isFolder(file)) Object.assign(file, { written: ended, isEmpty: false })
    }
  }

  #open(path: string, args: string, ended: number): void {
    if (!/O_CREAT|O_TRUNC/.test(args)) return
    const file = this.#at(path)
    if (file && !isFolder(file) && args.includes('O_TRUNC')) file.written = ended
    if (!file && existsAt(path, ended === Infinity)) {
      this.#change(ended, [path, { written: ended, synced: -1, isEmpty: true }])
    }
  }

  /** Notes new entries of the directory; those of other places are left out. */
  #change(ended: number, ...entries: [path: string, entry: Entry | undefined][]): void {
    const sets = entries.flatMap(([path, entry]) => {
      const folder = this.#at(dirname(path))
      return isFolder(folder) ? [{ folder, name: path.slice(dirname(path).length + 1), entry }] : []
    })
    for (const { folder, name, entry } of sets) set(folder.now, name, entry)
    this.#loose.push({ ended, sets })
  }

  #sync(entry: Entry | undefined, began: number): void {
    if (!entry) return
    if (!isFolder(entry)) {
      entry.synced = Math.max(entry.synced, began)
      return
    }
    const isKept = ({ ended, sets }: Change) =>
      ended < began && sets.some(({ folder }) => folder === entry)
    this.#loose.filter(isKept).forEach(keep)
    this.#loose = this.#loose.filter((change) => !isKept(change))
  }

  #at(path = ''): Entry | undefined {
    if (path !== this.#directory && !path.startsWith(`${this.#directory}/`)) return undefined
    const names = path.slice(this.#directory.length + 1).split('/')
    return names
      .filter(Boolean)
      .reduce<Entry | undefined>(
        (entry, name) => (isFolder(entry) ? entry.now.get(name) : undefined),
        this.#root,
      )
  }
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** The outcome of a call that the end of the process left open is read from the directory. */
const existsAt = (path: string, isOpen: boolean): boolean => !isOpen || exists(path)

const keep = ({ sets }: Change): void => {
  for (const { folder, name, entry } of sets) set(folder.kept, name, entry)
}

/** The paths among a call's arguments; a relative one follows the directory it starts from. */
const pathsOf = (args: string): string[] =>
  Array.from(
    args.matchAll(/(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"/g),
    ([, from = '/', path = '']) => resolve(from, path),
  )

/** The paths of the open files among a call's arguments. */
const filesOf = (args: string): string[] =>
  Array.from(args.matchAll(/\d+<([^>]*)>/g), ([, path = '']) => path)
