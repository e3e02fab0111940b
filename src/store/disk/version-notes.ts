import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Mutex } from 'async-mutex'
import type { Log } from '../../process/log.ts'
import { syncPath } from './durability.ts'
import { folderOf, manifestsFolderOf, newestVersions } from './table-versions.ts'

const betweenMilliseconds = 60_000

type Versions = Map<string, number>

/**
 * Notes beside a local store how new each of its tables was, so that a start can tell one that is
 * missing or was put back from an older copy. A copy of the whole store has its notes with it.
 */
export class VersionNotes {
  readonly #directory: string
  readonly #log: Log
  /** The newest that were noted; one that is older now stays as it is until it is newer. */
  readonly noted: Versions
  readonly #writing = new Mutex()
  #written = ''
  #timer: NodeJS.Timeout | undefined

  private constructor(directory: string, noted: Versions, log: Log) {
    this.#directory = directory
    this.noted = noted
    this.#log = log
  }

  static async open(directory: string, log: Log): Promise<VersionNotes> {
    return new VersionNotes(directory, await readNotes(directory, log), log)
  }

  /** To be called when a table begins anew, or went back and that was told. */
  forget(table: string): void {
    this.noted.delete(table)
  }

  /** Notes the versions there are now, and again from time to time. */
  async start(): Promise<void> {
    await this.note()
    this.#timer = setInterval(() => void this.note(), betweenMilliseconds).unref()
  }

  /** Notes the versions there are. What cannot be noted is no reason not to go on. */
  async note(): Promise<void> {
    try {
      await this.#writing.runExclusive(() => this.#note())
    } catch (err) {
      this.#log.warn({ err }, 'how new the tables are could not be noted')
    }
  }

  /** Notes them for the last time. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.note()
  }

  async #note(): Promise<void> {
    const versions = await newestVersions(this.#directory)
    for (const table of this.noted.keys()) if (!versions.has(table)) this.forget(table)
    for (const [table, version] of versions) {
      if (version <= (this.noted.get(table) ?? 0)) continue
      // What is noted has to outlast a power cut.
      await syncPath(manifestsFolderOf(this.#directory, table)).catch(unlessMissing)
      this.noted.set(table, version)
    }
    const text = JSON.stringify(Object.fromEntries(this.noted))
    if (text === this.#written) return
    await replaceFile(fileIn(this.#directory), text)
    this.#written = text
  }
}

const fileIn = (directory: string): string => join(folderOf(directory, 'store'), 'versions.json')

async function readNotes(directory: string, log: Log): Promise<Versions> {
  const file = fileIn(directory)
  try {
    const noted: unknown = JSON.parse(await readFile(file, 'utf8'))
    const entries = Object.entries(noted ?? {})
    return new Map(entries.filter((entry): entry is [string, number] => Number.isInteger(entry[1])))
  } catch (err) {
    if (!isMissing(err)) log.warn({ err }, `${file} cannot be read, and is written anew`)
    return new Map()
  }
}

/** Whole or not at all, also in a power cut. */
async function replaceFile(path: string, text: string): Promise<void> {
  const passing = join(path, '..', '.tmp-versions')
  const file = await open(passing, 'w')
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(passing, path)
  await syncPath(join(path, '..'))
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error
}
