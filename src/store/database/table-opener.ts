import type { Connection, Table } from '@lancedb/lancedb'
import type { Schema } from 'apache-arrow'
import { dirname, join } from 'node:path'
import { ServiceError, StartupError } from '../../errors/errors.ts'
import type { Log } from '../../process/log.ts'
import { openAlone } from './connection.ts'
import { ifPersistent } from '../disk/damage.ts'
import { DiskFailed, FolderSync, syncPath } from '../disk/folder-sync.ts'
import { openWhole } from '../disk/healing.ts'
import { Leftovers } from '../disk/leftovers.ts'
import { folderOf, tornFolder } from '../disk/table-versions.ts'
import type { VersionNotes } from '../disk/version-notes.ts'
import type { Volume } from '../disk/volume.ts'
import { messageOf, translated } from '../lance/faults.ts'
import { OpenTable } from '../table/open-table.ts'
import { IndexMemory } from '../table/table-handle.ts'

/** Upkeep makes up to three versions before it syncs, and a commit one. */
const maxUnsynced = 4

/** Whether reads of a table see all earlier writes, or may miss those of other servers for `READ_FRESHNESS`. */
export type Reads = 'newest' | 'recent'

type OpenerParts = {
  uri: string
  /** In seconds. */
  freshness: number
  connection: Connection
  volume: Volume
  syncs: boolean
  notes: VersionNotes | undefined
  log: Log
}

/** Opens and makes tables. All that can be read in them is durable, unless the disk failed. */
export class TableOpener {
  readonly #parts: OpenerParts
  readonly #indexMemory = new IndexMemory()
  #hasGoneBack = false
  #isClosed = false

  constructor(parts: OpenerParts) {
    this.#parts = parts
  }

  get hasGoneBack(): boolean {
    return this.#hasGoneBack
  }

  /** Ends opening, because work may continue after a stop. */
  close(): void {
    this.#isClosed = true
  }

  /** Opens a table at its newest whole version. Undefined if there is no such table. */
  async open(name: string, reads: Reads): Promise<OpenTable | undefined> {
    const { directory } = this.#parts.volume
    const opened = directory
      ? this.#openLocal(directory, name)
      : translated(this.#openShared(name, reads))
    const table = await opened.catch((cause: unknown) => {
      throw unreadable(cause, name)
    })
    return table && this.#toOpenTable(table, reads)
  }

  async create(name: string, schema: Schema, reads: Reads): Promise<OpenTable> {
    const { uri, notes } = this.#parts
    const make = (connection: Connection) => connection.createEmptyTable(name, schema)
    const table = await translated(openAlone(uri, make, this.#freshness(reads)))
    notes?.forget(name)
    return this.#toOpenTable(table, reads)
  }

  /** Nobody else writes to a directory. */
  #freshness(reads: Reads): number {
    const { volume, freshness } = this.#parts
    return volume.isShared && reads === 'recent' ? freshness : 0
  }

  async #openLocal(directory: string, name: string): Promise<Table | undefined> {
    const { notes, syncs, log } = this.#parts
    const tearable = {
      maxTorn: syncs ? maxUnsynced : Infinity,
      durable: syncs ? (notes?.durable(name) ?? 0) : 0,
    }
    const opened = await openWhole(() => this.#openAlone(name, 'newest'), directory, name, tearable)
    if (opened && opened.torn.length > 0) {
      this.#hasGoneBack = true
      notes?.forget(name)
      const folder = folderOf(directory, name)
      const kept = join(folder, tornFolder)
      const next = `After a power cut nothing that was answered is lost. Otherwise stop the server and put ${folder} back from a copy.`
      const told = { table: name, torn: opened.torn, kept, next }
      log.error(told, 'a table went back to its newest whole version')
    }
    return opened?.table
  }

  async #openShared(name: string, reads: Reads): Promise<Table | undefined> {
    const { connection } = this.#parts
    try {
      return await this.#openAlone(name, reads)
    } catch (cause) {
      if ((await tableNames(connection)).includes(name)) throw cause
      return undefined
    }
  }

  /** @throws once the store is closed, because LanceDB ends the process where its scratch folder is gone */
  async #openAlone(name: string, reads: Reads): Promise<Table> {
    if (this.#isClosed) throw new Error('The store is closed.')
    const { uri } = this.#parts
    return openAlone(uri, (connection) => connection.openTable(name), this.#freshness(reads))
  }

  async #toOpenTable(table: Table, reads: Reads): Promise<OpenTable> {
    const { volume, syncs, notes } = this.#parts
    const { name } = table
    const folder = syncs && volume.directory ? folderOf(volume.directory, name) : undefined
    const opened = new OpenTable({
      table,
      open: () => this.#openAlone(name, reads),
      mayMissOthers: this.#freshness(reads) > 0,
      folderSync: folder === undefined ? undefined : new FolderSync(folder),
      leftovers: volume.directory === undefined ? undefined : new Leftovers(volume.directory, name),
      volume,
      indexMemory: this.#indexMemory,
    })
    try {
      await opened.sync()
      if (folder) await syncPath(dirname(folder))
    } catch (error) {
      // Reads continue when a disk fails, even of tables that nobody has read yet.
      if (!(error instanceof DiskFailed)) throw error
      volume.closeFor(error)
    }
    if (folder) notes?.opened(name)
    return opened
  }
}

export async function tableNames(connection: Connection): Promise<string[]> {
  const names: string[] = []
  for (;;) {
    const startAfter = names.at(-1)
    const options = { limit: 1000, ...(startAfter !== undefined && { startAfter }) }
    const page = await translated(connection.tableNames(options))
    names.push(...page)
    if (page.length < 1000) return names
  }
}

function unreadable(cause: unknown, name: string): unknown {
  if (cause instanceof ServiceError || cause instanceof StartupError) return cause
  const said = messageOf(cause)
  const message = `The table ${name} cannot be opened. ${said} ${ifPersistent(name)}`
  return new StartupError(message, { cause })
}
