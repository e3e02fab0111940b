import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const pollMilliseconds = 250

/** What an index of vectors keeps them in, each in its folder. */
const vectorsFile = 'auxiliary.idx'

type Folders = Map<string, { vectorBytes: number | undefined }>

export type Appeared = { folders: number; ofVectors: number; ofAllVectors: number }

/**
 * Watches, from outside, the folders in which a table keeps its indexes: one for each time that some
 * rows were indexed, until nobody reads it any more.
 */
export class IndexFolders {
  readonly #directory: string
  readonly #polling: NodeJS.Timeout
  #before: Folders = new Map()
  #seen: Folders = new Map()

  constructor(table: string) {
    this.#directory = join(table, '_indices')
    this.#polling = setInterval(() => void this.#poll(), pollMilliseconds)
  }

  /** From here on folders count as new. */
  async begin(): Promise<void> {
    this.#seen = new Map()
    await this.#poll()
    this.#before = this.#seen
    this.#seen = new Map()
  }

  /** How many appeared since, whether or not they are gone again. */
  async appeared(): Promise<Appeared> {
    await this.#poll()
    return appearedIn(this.#before, this.#seen)
  }

  readonly stop = async (): Promise<void> => clearInterval(this.#polling)

  async #poll(): Promise<void> {
    const seen = this.#seen
    for (const name of await readdir(this.#directory).catch(() => [])) {
      // One that is being written grows; one that is gone has the size it had.
      const vectorBytes = await bytesOf(join(this.#directory, name, vectorsFile))
      seen.set(name, { vectorBytes: vectorBytes ?? seen.get(name)?.vectorBytes })
    }
  }
}

/**
 * An index of all vectors is one at least half as large as the largest that there was before. One
 * that was made is written once more when the files of its rows are merged, and counts again.
 */
export function appearedIn(before: Folders, seen: Folders): Appeared {
  const sizesOf = (folders: Folders) =>
    folders
      .values()
      .map(({ vectorBytes }) => vectorBytes)
      .filter((bytes) => bytes !== undefined)
      .toArray()
  const fresh: Folders = new Map(seen.entries().filter(([name]) => !before.has(name)))
  const large = Math.max(1, ...sizesOf(before)) / 2
  const sizes = sizesOf(fresh)
  return {
    folders: fresh.size,
    ofVectors: sizes.length,
    ofAllVectors: sizes.filter((bytes) => bytes >= large).length,
  }
}

const bytesOf = (file: string): Promise<number | undefined> =>
  stat(file).then(
    ({ size }) => size,
    () => undefined,
  )
