import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { ignoring, ignoringMissing } from './errno.ts'
import { isTemporary } from './folder-sync.ts'
import { folderOf, manifestsOf, tablesIn, tornFolder, versionOf } from './table-versions.ts'

/** Beside the folders of LanceDB, which leaves it alone; no sync waits for it. */
const markName = '.tmp-job'
const magic = 'LANC'

/** Leftovers of an interrupted job, some of which LanceDB keeps for good. A file marks jobs that are not done. */
export class Leftovers {
  readonly #directory: string
  readonly #table: string
  readonly #folder: string
  readonly #mark: string

  constructor(directory: string, table: string) {
    this.#directory = directory
    this.#table = table
    this.#folder = folderOf(directory, table)
    this.#mark = join(this.#folder, markName)
  }

  /** Call before a job. @returns whether an earlier job was interrupted */
  async markBegun(): Promise<boolean> {
    const wasInterrupted = (await this.interruptedAt()) !== undefined
    await writeFile(this.#mark, '', { flush: true })
    return wasInterrupted
  }

  /** Call once a job is done and nothing of an earlier one is left. */
  async markDone(): Promise<void> {
    await rm(this.#mark, { force: true })
  }

  /** When the interrupted job began, in ms since 1970; undefined if there is none. */
  async interruptedAt(): Promise<number | undefined> {
    const mark = await stat(this.#mark).catch(ignoringMissing)
    return mark?.mtimeMs
  }

  /** Whether a job was interrupted. Jobs of earlier versions left no file. */
  async exist(): Promise<boolean> {
    const [top, data] = await Promise.all([this.#names(), this.#names('data')])
    return top.includes(markName) || data.some(isTemporary)
  }

  /**
   * Removes what no version names. Until `signal` is aborted, nobody else may write to the table.
   * @returns whether nothing is left, which needs every version to be whole
   */
  async remove(signal?: AbortSignal): Promise<boolean> {
    const [temporary, unnamed] = [await this.#temporary(), await this.#unnamed()]
    signal?.throwIfAborted()
    for (const path of [...temporary, ...(unnamed ?? [])]) {
      await rm(path, { recursive: true, force: true })
    }
    return unnamed !== undefined
  }

  /** Removes the versions before a durable one, and what only they name. Nobody may read them. */
  async removeBefore(version: number, signal: AbortSignal): Promise<void> {
    const manifests = await manifestsOf(this.#directory, this.#table)
    signal.throwIfAborted()
    for (const manifest of manifests) {
      if (versionOf(manifest) < version) await rm(join(this.#folder, '_versions', manifest))
    }
    await this.remove(signal)
  }

  async #names(...path: string[]): Promise<string[]> {
    const names = await readdir(join(this.#folder, ...path)).catch(ignoring('ENOENT', 'ENOTDIR'))
    return names ?? []
  }

  async #temporary(): Promise<string[]> {
    const folders = ['data', '_versions', '_transactions', '_deletions']
    const paths = folders.map(async (folder) =>
      (await this.#names(folder))
        .filter(isTemporary)
        .map((name) => join(this.#folder, folder, name)),
    )
    return (await Promise.all(paths)).flat()
  }

  /** Data and indexes of no version. Undefined if a version cannot be read, because it may name any. */
  async #unnamed(): Promise<string[] | undefined> {
    const [data, indexes] = await Promise.all([this.#names('data'), this.#names('_indices')])
    const entries = [
      ...data.filter(isData).map((name) => ({ path: join('data', name), name: Buffer.from(name) })),
      ...indexes.map((name) => ({ path: join('_indices', name), name: bytesOf(name) })),
    ]
    const versions = await this.#read('_versions', await manifestsOf(this.#directory, this.#table))
    if (!versions.every(isWhole)) return undefined
    const torn = await this.#read(tornFolder, await this.#names(tornFolder))
    const unnamed = await notNamed(entries, [...versions, ...torn])
    // A table has files. If none is named, names are written in an unknown way.
    if (unnamed.length === entries.length) return []
    return unnamed.map(({ path }) => join(this.#folder, path))
  }

  #read(folder: string, names: string[]): Promise<Buffer[]> {
    return Promise.all(names.map((name) => readFile(join(this.#folder, folder, name))))
  }
}

type Entry = { path: string; name: Buffer }

const isData = (name: string): boolean => name.endsWith('.lance')

const isWhole = (manifest: Buffer): boolean =>
  manifest.subarray(-magic.length).equals(Buffer.from(magic))

async function notNamed(entries: Entry[], manifests: Buffer[]): Promise<Entry[]> {
  let unnamed = entries
  for (const manifest of manifests) {
    unnamed = unnamed.filter(({ name }) => !manifest.includes(name))
    await setImmediate()
  }
  return unnamed
}

/** A folder of an index is named by a UUID. Versions hold its bytes. */
const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

/** The owner of a directory calls it before anything is written. */
export async function removeAllLeftovers(directory: string): Promise<void> {
  for (const table of await tablesIn(directory)) {
    const leftovers = new Leftovers(directory, table)
    if (await leftovers.exist()) await leftovers.remove()
  }
}
