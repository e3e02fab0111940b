import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Mutex } from 'async-mutex'
import type { Log } from '../../process/log.ts'
import { FolderSync, syncPath } from './folder-sync.ts'
import { codeOf, ignoringMissing } from './errno.ts'
import { folderOf, manifestsFolderOf, newestVersions } from './table-versions.ts'

const noteIntervalMilliseconds = 60_000
/** No table's name begins with a dot. */
const durableKey = '.durable'

type Versions = Map<string, number>
type Notes = { noted: Versions; durable: Versions }

/** Notes which versions the tables of a local store had, so that a start notices an older copy. */
export class VersionNotes {
  readonly #directory: string
  readonly #log: Log
  readonly noted: Versions
  readonly #durable: Versions
  readonly #opened = new Set<string>()
  readonly #writing = new Mutex()
  #written = ''
  #timer: NodeJS.Timeout | undefined

  private constructor(directory: string, { noted, durable }: Notes, log: Log) {
    this.#directory = directory
    this.noted = noted
    this.#durable = durable
    this.#log = log
  }

  static async open(directory: string, log: Log): Promise<VersionNotes> {
    return new VersionNotes(directory, await readNotes(directory, log), log)
  }

  /** The newest version that was read and synced whole, which no power cut can tear; 0 for none. */
  durable(table: string): number {
    return this.#durable.get(table) ?? 0
  }

  /** Call when a table was read whole. */
  opened(table: string): void {
    this.#opened.add(table)
  }

  /** Call when a table is made again or goes back to an older version. */
  forget(table: string): void {
    this.noted.delete(table)
    this.#durable.delete(table)
  }

  async start(): Promise<void> {
    await this.note()
    this.#timer = setInterval(() => void this.note(), noteIntervalMilliseconds).unref()
  }

  async note(isStop = false): Promise<void> {
    try {
      await this.#writing.runExclusive(() => this.#note(isStop))
    } catch (err) {
      this.#log.warn({ err }, 'how new the tables are could not be noted')
    }
  }

  /** @param isDurable whether the disk kept all that it was given */
  async stop(isDurable: boolean): Promise<void> {
    clearInterval(this.#timer)
    await this.note(isDurable)
  }

  async #note(isStop: boolean): Promise<void> {
    const versions = await newestVersions(this.#directory)
    for (const table of this.noted.keys()) if (!versions.has(table)) this.forget(table)
    for (const [table, version] of versions) {
      await this.#noteNewer(table, version)
      if (isStop) await this.#noteDurable(table, version)
    }
    const durable = { [durableKey]: Object.fromEntries(this.#durable) }
    const text = JSON.stringify({ ...Object.fromEntries(this.noted), ...durable })
    if (text === this.#written) return
    await replaceFile(fileIn(this.#directory), text)
    this.#written = text
  }

  async #noteNewer(table: string, version: number): Promise<void> {
    if (version <= (this.noted.get(table) ?? 0)) return
    // A noted version has to outlast a power cut.
    await syncPath(manifestsFolderOf(this.#directory, table)).catch(ignoringMissing)
    this.noted.set(table, version)
  }

  async #noteDurable(table: string, version: number): Promise<void> {
    if (!this.#opened.has(table) || version <= this.durable(table)) return
    await new FolderSync(folderOf(this.#directory, table)).sync()
    this.#durable.set(table, version)
  }
}

const fileIn = (directory: string): string => join(folderOf(directory, 'store'), 'versions.json')

async function readNotes(directory: string, log: Log): Promise<Notes> {
  const file = fileIn(directory)
  try {
    const read: Record<string, unknown> = JSON.parse(await readFile(file, 'utf8')) ?? {}
    return { noted: versionsIn(read), durable: versionsIn(read[durableKey] ?? {}) }
  } catch (err) {
    if (codeOf(err) !== 'ENOENT') log.warn({ err }, `${file} cannot be read, and is written anew`)
    return { noted: new Map(), durable: new Map() }
  }
}

const versionsIn = (notes: object): Versions =>
  new Map(
    Object.entries(notes).filter((entry): entry is [string, number] => Number.isInteger(entry[1])),
  )

async function replaceFile(path: string, text: string): Promise<void> {
  const passing = join(path, '..', '.tmp-versions')
  await writeFile(passing, text, { flush: true })
  await rename(passing, path)
  await syncPath(join(path, '..'))
}
