import type { Table } from '@lancedb/lancedb'
import { StartupError } from '../../errors/errors.ts'
import type { Database } from '../database/database.ts'
import { currentFormat, oldestUpgradableFormat } from '../fragments/formats.ts'
import { equal } from '../lance/filter.ts'
import { fromRow, type RecordRow, type Stored } from '../records/record-rows.ts'
import { type Records, RecordTable } from '../records/records.ts'
import { tablesOf, withoutFormat } from './start-checks.ts'

/** The oldest version that can read the store; tables may be older while it `isUpgrading`. */
type FormatRecord = { format: number; isUpgrading?: boolean }

export const isFormat = ({ format }: FormatRecord): boolean => Number.isInteger(format)

/** States the format of a store. Older versions refuse the store from the moment an upgrade begins. */
export class StoreFormat {
  readonly records: Records<FormatRecord>

  private constructor(records: Records<FormatRecord>) {
    this.records = records
  }

  /** Gives a new store the format of this version. @throws StartupError if its record cannot be read */
  static async open(database: Database): Promise<StoreFormat> {
    const { isOld } = await tablesOf(database)
    const storeFormat = new StoreFormat(await RecordTable.open(database, 'store', isFormat))
    const found = await storeFormat.#read()
    if (!found && isOld) throw new StartupError(withoutFormat(database))
    const { value } = found ?? (await storeFormat.#make({ format: currentFormat }))
    if (!isReadable(value)) throw new StartupError(cannotRead(value))
    return storeFormat
  }

  /** Restores a lost record. The next start then looks at every table. */
  static async restore(database: Database): Promise<void> {
    const storeFormat = new StoreFormat(await RecordTable.open(database, 'store', isFormat))
    await storeFormat.requireCheck()
  }

  /** Makes the next start look at every table. */
  async requireCheck(): Promise<void> {
    await this.write(true)
    await this.records.idle()
  }

  async isCurrent(): Promise<boolean> {
    const { format, isUpgrading = false } = (await this.#read())?.value ?? { format: 0 }
    return format === currentFormat && !isUpgrading
  }

  async write(isUpgrading: boolean): Promise<void> {
    const value = { format: currentFormat, ...(isUpgrading && { isUpgrading }) }
    const found = (await this.#read()) ?? (await this.#make(value))
    if (JSON.stringify(found.value) === JSON.stringify(value)) return
    // Another server that came first wrote the same, or looks at the documents itself.
    await this.records.replace(found, value, { isSmall: true })
  }

  /** Several servers may start on a new store at once. The first record counts. */
  async #make(value: FormatRecord): Promise<Stored<FormatRecord>> {
    const made = await this.records.insert('format', 'service', value)
    return made ?? (await this.#read())!
  }

  #read(): Promise<Stored<FormatRecord> | undefined> {
    return this.records.get('format')
  }
}

/** Describes the format of a store without changing it. Undefined if it cannot be read. */
export async function describeFormat(database: Database): Promise<string | undefined> {
  const row = await database.inspect('store', rowOf).catch(() => undefined)
  if (!row) return undefined
  const { format, isUpgrading = false } = fromRow<FormatRecord>(row).value
  const isDue = isReadable({ format, isUpgrading }) && (isUpgrading || format < currentFormat)
  return `The store has format ${format}${isDue ? '; the next start upgrades it' : ''}.`
}

async function rowOf(lance: Table): Promise<RecordRow | undefined> {
  const rows: RecordRow[] = await lance.query().where(equal('id', 'format')).toArray()
  return rows[0]
}

/** A version before this one began the oldest of these upgrades, and has to end it. */
const isReadable = ({ format, isUpgrading = false }: FormatRecord): boolean =>
  format <= currentFormat &&
  (isUpgrading ? format > oldestUpgradableFormat : format >= oldestUpgradableFormat)

const cannotRead = ({ format, isUpgrading = false }: FormatRecord): string => {
  const state = isUpgrading ? `is being upgraded to format ${format}` : `has format ${format}`
  const reads = `this version reads format ${currentFormat} and upgrades from format ${oldestUpgradableFormat}`
  const way =
    format > currentFormat
      ? 'Start the version that made it, or give this one an empty DATA_URI.'
      : 'Start version 0.2.0 on it once, which upgrades it, or give this one an empty DATA_URI.'
  return `The store ${state}, and ${reads}. ${way}`
}

/** Facts for other servers of the store and for later starts, in a record beside the format. */
export class Note<T extends object> {
  readonly #records: Records<FormatRecord>
  readonly #id: string

  constructor(records: Records<FormatRecord>, id: string) {
    this.#records = records
    this.#id = id
  }

  /** @returns what is noted now, durably; undefined if another server came first */
  async change(next: (noted: T | undefined) => T): Promise<T | undefined> {
    const stored = (await this.#records.get(this.#id)) as Stored<FormatRecord & T> | undefined
    const changed = next(stored?.value)
    if (changed === stored?.value) return changed
    const value = { ...changed, format: currentFormat }
    const written = stored
      ? await this.#records.replace(stored, value, { isSmall: true })
      : await this.#records.insert(this.#id, 'service', value)
    return written && changed
  }
}
