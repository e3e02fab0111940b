import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import type { Stored } from './record-rows.ts'
import { type Records, RecordTable } from './records.ts'

const heartbeatMilliseconds = 2_000
/** A holder that has shown no beat for so long is taken for dead. */
const expiryMilliseconds = 30_000
const pollMilliseconds = 500

/** A record that exists while somebody holds the lease. */
type LeaseRecord<T extends object> = { records: Records<T>; id: string; value: T }

/** Waits for a lease, and does work that one server at a time may do. */
export async function withLease<T extends object>(
  record: LeaseRecord<T>,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const held = await new Lease(record).take()
  try {
    await work(held.signal)
  } finally {
    await held.release()
  }
}

/** One server's view of a lease. Clocks are not compared: others watch the revision rise. */
class Lease<T extends object> {
  readonly #record: LeaseRecord<T>
  #seen = { beat: '', since: 0 }

  constructor(record: LeaseRecord<T>) {
    this.#record = record
  }

  async take(): Promise<HeldLease<T>> {
    for (;;) {
      const held = await this.tryTake()
      if (held) return held
      await pause(pollMilliseconds)
    }
  }

  /** Undefined if another server holds it. Ask again later, because only that shows whether it is alive. */
  async tryTake(): Promise<HeldLease<T> | undefined> {
    const { records, id, value } = this.#record
    const mine = { ...value, holder: randomUUID() }
    const found = await records.get(id)
    const taken = found
      ? this.#isDead(found) && (await records.replace(found, mine, { isSmall: true }))
      : await records.insert(id, 'service', mine)
    return taken ? new HeldLease(records, taken) : undefined
  }

  #isDead({ createdAt, rev }: Stored<T>): boolean {
    const beat = `${createdAt} ${rev}`
    if (beat !== this.#seen.beat) this.#seen = { beat, since: performance.now() }
    return performance.now() - this.#seen.since > expiryMilliseconds
  }
}

class HeldLease<T extends object> {
  readonly #records: Records<T>
  readonly #lost = new AbortController()
  /** Aborted when the lease is lost, to another server or with the store. */
  readonly signal = this.#lost.signal
  readonly #timer: NodeJS.Timeout
  #stored: Stored<T>
  #beating = Promise.resolve()
  #released: Promise<unknown> | undefined

  constructor(records: Records<T>, stored: Stored<T>) {
    this.#records = records
    this.#stored = stored
    this.#timer = setInterval(() => {
      this.#beating = this.#beating
        .then(() => this.#beat())
        .catch((error: unknown) => this.#lost.abort(error))
    }, heartbeatMilliseconds)
  }

  /** May be called twice. */
  async release(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beating
    await (this.#released ??= this.#records.remove(this.#stored))
  }

  async #beat(): Promise<void> {
    if (this.signal.aborted) return
    const next = await this.#records.replace(this.#stored, this.#stored.value, { isSmall: true })
    if (next) this.#stored = next
    else this.#lost.abort(new Error('Another server has taken over the work of this one.'))
  }
}

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
    const leases = new UpkeepLeases(await RecordTable.open<object>(database, tableName))
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
    const record = { records: this.#records, id: table, value: {} }
    const lease = this.#leases.get(table) ?? new Lease<object>(record)
    this.#leases.set(table, lease)
    return lease
  }
}
