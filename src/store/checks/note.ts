import { currentFormat } from '../fragments/formats.ts'
import type { Stored } from '../records/record-rows.ts'
import type { Records } from '../records/records.ts'
import type { FormatRecord } from './format.ts'

/** What the servers of a store tell each other and later starts, in a record beside the format. */
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
