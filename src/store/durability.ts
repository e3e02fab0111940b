import type { Dirent } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** How many files are open at once, far below what a process may have. */
const filesAtOnce = 64

/**
 * Puts what LanceDB wrote to a local directory on the disk itself. LanceDB leaves that to the
 * operating system, which takes half a minute and keeps no order: after a power cut a table's newest
 * files may be missing, empty or cut short. The files that count are written once and never
 * changed, so each is synced once; a version names files of earlier ones too, so all are.
 */
export class Durability {
  readonly #directory: string
  #synced: ReadonlySet<string> = new Set()

  constructor(directory: string) {
    this.#directory = directory
  }

  /**
   * Settles when every version that is there by now survives a power cut. What is being written
   * meanwhile stands under a passing name until it is whole.
   */
  async sync(): Promise<void> {
    const found = new Set<string>()
    await this.#syncFolder('', found)
    this.#synced = found
  }

  async #syncFolder(folder: string, found: Set<string>): Promise<void> {
    const entries = await entriesOf(join(this.#directory, folder))
    const fresh: string[] = []
    const folders: string[] = []
    for (const entry of entries) {
      if (isPassing(entry.name)) continue
      const path = join(folder, entry.name)
      found.add(path)
      if (entry.isDirectory()) folders.push(path)
      else if (!this.#synced.has(path)) fresh.push(path)
    }
    if (fresh.length > 0 || folders.some((path) => !this.#synced.has(path))) fresh.push(folder)
    await Promise.all([
      this.#syncAll(fresh),
      ...folders.map((path) => this.#syncFolder(path, found)),
    ])
  }

  async #syncAll(paths: string[]): Promise<void> {
    for (let start = 0; start < paths.length; start += filesAtOnce) {
      const some = paths.slice(start, start + filesAtOnce)
      await Promise.all(some.map((path) => syncIfThere(join(this.#directory, path))))
    }
  }
}

/** LanceDB gives a file its own name when it is written, and never changes it then. */
const isPassing = (name: string): boolean => name.startsWith('.tmp') || name.includes('#')

/** What is deleted meanwhile belonged to an old version. */
const syncIfThere = (path: string): Promise<void> => syncPath(path).catch(unlessMissing)

const entriesOf = (path: string): Promise<Dirent[]> =>
  readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    unlessMissing(error)
    return []
  })

function unlessMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

/** When the disk did not keep what it was given. Whether it did cannot be asked again. */
export class DiskFailed extends Error {
  constructor(cause: unknown) {
    super('What was written could not be put on the disk.', { cause })
  }
}

/**
 * Puts a file, or which names a directory holds, on the disk.
 * @throws DiskFailed; what opening it failed with, which can be tried again
 */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } catch (cause) {
    throw new DiskFailed(cause)
  } finally {
    await file.close()
  }
}
