import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { ignoring } from './errno.ts'
import { isPassing } from './folder-sync.ts'
import { folderOf, manifestsOf, tablesIn, tornFolder, versionOf } from './table-versions.ts'

/** Beside the folders of LanceDB, which leaves it alone; no sync waits for it. */
const markName = '.tmp-job'
/** How a whole manifest ends. */
const magic = 'LANC'

/**
 * What a job that was broken off leaves in the folder of a table; LanceDB keeps some of it for good.
 * A mark stays there from the start of a job until one is done.
 */
export class Leftovers {
  readonly #directory: string
  readonly #table: string
  readonly #mark: string

  constructor(directory: string, table: string) {
    this.#directory = directory
    this.#table = table
    this.#mark = join(this.#folder, markName)
  }

  /** To be called before a job. @returns whether an earlier one was broken off */
  async mayCome(): Promise<boolean> {
    const wasBrokenOff = (await this.brokenOffAt()) !== undefined
    await writeFile(this.#mark, '', { flush: true })
    return wasBrokenOff
  }

  /** To be called once a job is done, and nothing of an earlier one is left. */
  async none(): Promise<void> {
    await rm(this.#mark, { force: true })
  }

  /** When the job began that was broken off, in ms since 1970; none was where it is undefined. */
  async brokenOffAt(): Promise<number | undefined> {
    const mark = await stat(this.#mark).catch(ignoring('ENOENT'))
    return mark?.mtimeMs
  }

  /** Whether a job was broken off; those of earlier versions left no mark. */
  async areThere(): Promise<boolean> {
    const [top, data] = await Promise.all([this.#names(), this.#names('data')])
    return top.includes(markName) || data.some(isPassing)
  }

  /**
   * Removes what no version names. Nobody else may write to the table meanwhile.
   * @param signal when it is aborted another process may write, and nothing is removed
   * @returns whether nothing is left, as where no version is torn
   */
  async remove(signal?: AbortSignal): Promise<boolean> {
    const [passing, unnamed] = [await this.#passing(), await this.#unnamed()]
    signal?.throwIfAborted()
    for (const path of [...passing, ...(unnamed ?? [])]) {
      await rm(path, { recursive: true, force: true })
    }
    return unnamed !== undefined
  }

  /** Removes the versions before one that is durable, and what only they name. Nobody may read them. */
  async removeBefore(version: number, signal: AbortSignal): Promise<void> {
    const manifests = await manifestsOf(this.#directory, this.#table)
    signal.throwIfAborted()
    for (const manifest of manifests) {
      if (versionOf(manifest) < version) await rm(join(this.#folder, '_versions', manifest))
    }
    await this.remove(signal)
  }

  get #folder(): string {
    return folderOf(this.#directory, this.#table)
  }

  async #names(...path: string[]): Promise<string[]> {
    const names = await readdir(join(this.#folder, ...path)).catch(ignoring('ENOENT', 'ENOTDIR'))
    return names ?? []
  }

  /** Files that were never renamed to what they should become. */
  async #passing(): Promise<string[]> {
    const folders = ['data', '_versions', '_transactions', '_deletions']
    const paths = folders.map(async (folder) =>
      (await this.#names(folder)).filter(isPassing).map((name) => join(this.#folder, folder, name)),
    )
    return (await Promise.all(paths)).flat()
  }

  /** Data and indexes of no version; undefined where a version cannot be read, which may name any. */
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
    // A table has files: if none is named, names are written in a way that is not known here.
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
    // Other requests come in between.
    await setImmediate()
  }
  return unnamed
}

/** An index's folder is named by a UUID, which versions name by its bytes. */
const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

/** To be called by the owner of a directory, before anything is written. */
export async function removeAllLeftovers(directory: string): Promise<void> {
  for (const table of await tablesIn(directory)) {
    const leftovers = new Leftovers(directory, table)
    if (await leftovers.areThere()) await leftovers.remove()
  }
}
