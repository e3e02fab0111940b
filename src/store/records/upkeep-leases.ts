import type { Database } from '../database/database.ts'
import { type HeldLease, Lease } from './lease.ts'
import { Records } from './records.ts'

const tableName = 'leases'

/** Lets one server at a time maintain a table of an object store. The leases are records in the store. */
export class UpkeepLeases {
  readonly #records: Records<object>
  readonly #leases = new Map<string, Lease<object>>()
  readonly #held = new Set<HeldLease<object>>()

  private constructor(records: Records<object>) {
    this.#records = records
  }

  /** From now on the tables of the database are maintained. */
  static async open(database: Database): Promise<UpkeepLeases> {
    const leases = new UpkeepLeases(await Records.open<object>(database, tableName))
    database.shareUpkeep((table, work) => leases.#alone(table, work))
    return leases
  }

  /** Call once nothing is begun any more: gives back the leases of work that still runs. */
  async idle(): Promise<void> {
    await Promise.all(Array.from(this.#held, (held) => held.release()))
    await this.#records.idle()
  }

  async #alone(table: string, work: () => Promise<void>): Promise<boolean> {
    if (table === tableName) return this.#ifUnused(work)
    const held = await this.#leaseOf(table).tryTake()
    if (!held) return false
    this.#held.add(held)
    try {
      await work()
    } finally {
      this.#held.delete(held)
      await held.release()
    }
    return true
  }

  /** Without two leases there are no files to merge, so that no lease conflicts with the merging. */
  async #ifUnused(work: () => Promise<void>): Promise<boolean> {
    if ((await this.#records.ids()).length > 1) return false
    await work()
    return true
  }

  #leaseOf(table: string): Lease<object> {
    const known = this.#leases.get(table)
    const record = { records: this.#records, id: table, value: {} }
    const lease = known ?? new Lease<object>(record)
    if (!known) this.#leases.set(table, lease)
    return lease
  }
}
