import type { Table } from '@lancedb/lancedb'
import { StorageFull } from '../errors.ts'
import type { Log } from '../log.ts'
import { freeBytes } from './directory.ts'
import type { Durability } from './durability.ts'
import { translated } from './faults.ts'
import { Maintenance } from './maintenance.ts'

/** How long other servers on an object store may take to read the version they have. */
const otherReadersMilliseconds = 3_600_000
const keptFree = 64 * 1024 * 1024

/** Where a table is kept. */
export type Place = {
  /** Gives another handle of the table. */
  open: () => Promise<Table>
  /** The store's directory, where it is local. Others are shared with other servers. */
  directory: string | undefined
  /** Where what is written has to be put on the disk. */
  durability: Durability | undefined
}

/** A table, with what keeps it whole and quick. */
export class OpenTable {
  readonly #table: Table
  readonly #place: Place
  readonly #maintenance: Maintenance
  readonly #log: Log
  /** For each running read, when the version it reads was begun, in milliseconds. */
  readonly #reads = new Set<{ version: number }>()
  #failure: Error | undefined

  constructor(table: Table, place: Place, log: Log) {
    this.#table = table
    this.#place = place
    this.#maintenance = new Maintenance(table, place.open)
    this.#log = log
  }

  /** Whether other processes may write to it too. */
  get isShared(): boolean {
    return this.#place.directory === undefined
  }

  /** What is read stays in place until it has been. */
  async read<T>(query: (table: Table) => Promise<T>): Promise<T> {
    const reading = { version: this.#maintenance.newest }
    this.#reads.add(reading)
    try {
      return await translated(query(this.#table))
    } finally {
      this.#reads.delete(reading)
    }
  }

  /**
   * Makes commits, one caller at a time. They are seen from then on, and durable after `sync`.
   * @throws StorageFull; also where an earlier `sync` failed
   */
  async commit<T>(write: (table: Table) => Promise<T>): Promise<T> {
    this.checkWritable()
    const began = Date.now()
    const result = await translated(write(this.#table))
    this.#maintenance.committed(began)
    return result
  }

  /**
   * To be called before rows are added: what is left of the disk is for deletes and compaction,
   * which need room to make room.
   * @throws StorageFull
   */
  async checkRoom(): Promise<void> {
    const { directory } = this.#place
    if (directory && (await freeBytes(directory)) < keptFree) throw new StorageFull()
  }

  /**
   * Settles when everything committed survives a power cut. Where that fails, nobody can tell what
   * the disk holds, and a second try would be told lies: nothing is written any more until a new
   * start has read what is there.
   */
  async sync(): Promise<void> {
    this.checkWritable()
    try {
      await this.#place.durability?.sync()
    } catch (cause) {
      this.#failure = new Error('What was written could not be put on the disk.', { cause })
      this.#log.error({ err: cause }, 'a table is closed for writes: its disk failed')
      throw this.#failure
    }
  }

  /** @throws where what was committed may not be on the disk */
  checkWritable(): void {
    if (this.#failure) throw this.#failure
  }

  /** Does what is due between commits; what fails is tried again later, and in nobody's way. */
  async tidy(): Promise<void> {
    try {
      await translated(this.#maintenance.run(this.#oldestRead()))
    } catch (err) {
      this.#log.warn({ err }, 'a table could not be compacted')
    }
  }

  /** Settles when nothing is being done to its files. */
  settled(): Promise<void> {
    return this.#maintenance.settled()
  }

  /** When the oldest version that somebody reads was begun. */
  #oldestRead(): number {
    const others = this.isShared ? Date.now() - otherReadersMilliseconds : Infinity
    return Math.min(
      others,
      this.#maintenance.newest,
      ...Array.from(this.#reads, ({ version }) => version),
    )
  }
}
