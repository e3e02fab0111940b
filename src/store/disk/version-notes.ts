import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Mutex } from 'async-mutex'
import type { Log } from '../../process/log.ts'
import { syncPath } from './durability.ts'
import { codeOf, ignoring } from './errno.ts'
import { folderOf, manifestsFolderOf, newestVersions } from './table-versions.ts'

const noteIntervalMilliseconds = 60_000

type Versions = Map<string, number>

/** Notes in a local store how new its tables were, so that a start can tell an older or missing one. */
export class VersionNotes {
  readonly #directory: string
  readonly #log: Log
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

  /** To be called when a table begins anew, or went back and the log said so. */
  forget(table: string): void {
    this.noted.delete(table)
  }

  async start(): Promise<void> {
    await this.note()
    this.#timer = setInterval(() => void this.note(), noteIntervalMilliseconds).unref()
  }

  async note(): Promise<void> {
    try {
      await this.#writing.runExclusive(() => this.#note())
    } catch (err) {
      this.#log.warn({ err }, 'how new the tables are could not be noted')
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.note()
  }

  async #note(): Promise<void> {
    const versions = await newestVersions(this.#directory)
    for (const table of this.noted.keys()) if (!versions.has(table)) this.forget(table)
    for (const [table, version] of versions) {
      if (version <= (this.noted.get(table) ?? 0)) continue
      // A version that a note names has to outlast a power cut.
      await syncPath(manifestsFolderOf(this.#directory, table)).catch(ignoring('ENOENT'))
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
    if (codeOf(err) !== 'ENOENT') log.warn({ err }, `${file} cannot be read, and is written anew`)
    return new Map()
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const passing = join(path, '..', '.tmp-versions')
  await writeFile(passing, text, { flush: true })
  await rename(passing, path)
  await syncPath(join(path, '..'))
}
