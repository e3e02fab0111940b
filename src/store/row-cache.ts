import type { Table } from '@lancedb/lancedb'
import { LRUCache } from 'lru-cache'
import { TimeSlice } from '../time-slice.ts'
import {
  type Found,
  foundColumns,
  type FoundRow,
  type FragmentPlace,
  placeOf,
  toFound,
} from './hits.ts'
import type { FreshRows } from './fresh-rows.ts'
import { readRows } from './read-rows.ts'

/**
 * What the rows of all tables may take: 75,000 fragments of 400 characters, with the vectors of the
 * built-in embedder. 2,000 questions find 54,000 among 100,000, and others as new ones come. Hybrid
 * queries are answered twice as fast then as with a third of them. With other vectors of 1,024 numbers
 * it is 46,000.
 */
const mostBytes = 264 * 1024 * 1024
/** What a row takes beside its strings and vector, as measured. */
const bytesARow = 1_100

/** A row and where it stands: `place` as in `placeOf`, with its table, and its last addresses. */
type Remembered = { readonly found: Found; readonly place: string; readonly addresses: string[] }

/** Searches may still read the version of before a merger. */
const mostAddresses = 2

/**
 * Remembers rows that searches found, also where they were fresh, by their addresses. What stands
 * at an address never changes: a write puts its rows at new ones, a merger too, and no address is given
 * twice. So a row remembered is the row that a search means, whatever has been written since.
 */
export class RowCache {
  readonly #byAddress = new Map<string, Remembered>()
  readonly #byPlace = new LRUCache<string, Remembered>({
    maxSize: mostBytes,
    sizeCalculation: ({ found: { text, name, source, direction } }) =>
      2 * (text.length + name.length + source.length) + direction.byteLength + bytesARow,
    dispose: ({ addresses }) => addresses.forEach((address) => this.#byAddress.delete(address)),
  })
  #tables = 0

  /** For one table, as long as it is open. */
  forTable(): TableRows {
    return new TableRows(this, this.#tables++)
  }

  get isEmpty(): boolean {
    return this.#byPlace.size === 0
  }

  get(address: string): Found | undefined {
    const remembered = this.#byAddress.get(address)
    if (remembered) this.#byPlace.get(remembered.place)
    return remembered?.found
  }

  /** @returns what is remembered of that row */
  remember(place: string, found: Found, address: string): Found {
    const known = this.#byPlace.get(place)
    // Where several servers write, two versions may have been written in the same millisecond.
    const isKnown = known?.found.updatedAt === found.updatedAt && known.found.text === found.text
    if (!isKnown) this.#byPlace.set(place, { found, place, addresses: [] })
    this.follow(place, found.updatedAt, address)
    return isKnown ? known.found : found
  }

  /** Has what stands at that place, if it was written then, known by that address, too. */
  follow(place: string, updatedAt: string, address: string): void {
    const remembered = this.#byPlace.peek(place)
    if (remembered?.found.updatedAt !== updatedAt || remembered.addresses.includes(address)) return
    const { addresses } = remembered
    this.#byAddress.set(address, remembered)
    if (addresses.push(address) > mostAddresses) this.#byAddress.delete(addresses.shift()!)
  }
}

export type AddressedRow = FoundRow & { _rowid: bigint }

/** What a row is known by wherever it stands: a version of a document, and the place in it. */
type Identity = Pick<FoundRow, 'datasource_id' | 'position' | 'updated_at'>
const identity = ['datasource_id', 'position', 'updated_at'] satisfies (keyof Identity)[]

/** What was fresh, of which some was wanted. */
type Wanted = Pick<FreshRows, 'isAnyWanted' | 'wantedAt'>

/** The rows of one table. */
export class TableRows {
  readonly #rows: RowCache
  readonly #prefix: string
  /** All below were followed; whatever is written or merged later stands higher. */
  #followedTo = 0n

  /** @param table a number of its own */
  constructor(rows: RowCache, table: number) {
    this.#rows = rows
    this.#prefix = `${table}:`
  }

  /** The rows at these addresses. One that was merged away is missing unless it is remembered. */
  async at(addresses: Iterable<bigint>, lance: Table): Promise<ReadonlyMap<bigint, Found>> {
    const found = new Map<bigint, Found>()
    const unknown: bigint[] = []
    for (const address of new Set(addresses)) {
      const row = this.#rows.get(this.#prefix + address)
      if (row) found.set(address, row)
      else unknown.push(address)
    }
    if (unknown.length === 0) return found
    const taken = await lance.takeRowIds(unknown).select(foundColumns).withRowId().toArrow()
    for (const row of readRows<AddressedRow>(taken)) {
      const { _rowid: address } = row
      found.set(address, this.remember(row))
    }
    return found
  }

  remember(row: AddressedRow): Found {
    const found = toFound(row)
    const { _rowid: address } = row
    return this.#rows.remember(this.#placeOf(found), found, this.#prefix + address)
  }

  /**
   * Has what is remembered, and what was wanted while it was fresh, known by where it stands in `lance`,
   * to be called before searches read that. Else what moved, or was fresh, would be read again: beside 300
   * new documents a second, for whose sake files are merged all the time, that was half of a hybrid
   * query's time.
   */
  async follow(lance: Table, fresh: Wanted): Promise<void> {
    if (this.#rows.isEmpty && !fresh.isAnyWanted) return
    let next = this.#followedTo
    const moved = lance.query().where(`_rowid >= ${this.#followedTo}`).select(identity).withRowId()
    const slice = new TimeSlice()
    for await (const batch of moved) {
      for (const row of readRows<Identity & { _rowid: bigint }>(batch)) {
        const { _rowid: address, updated_at: updatedAt } = row
        const place = { datasourceId: row.datasource_id, position: row.position }
        this.#follow(place, updatedAt, address, fresh.wantedAt(place))
        if (address >= next) next = address + 1n
        await slice.pause()
      }
    }
    this.#followedTo = next
  }

  #follow(at: FragmentPlace, updatedAt: string, address: bigint, fresh: Found | undefined): void {
    const place = this.#placeOf(at)
    const key = this.#prefix + address
    if (fresh?.updatedAt === updatedAt) this.#rows.remember(place, fresh, key)
    else this.#rows.follow(place, updatedAt, key)
  }

  #placeOf(place: FragmentPlace): string {
    return this.#prefix + placeOf(place)
  }
}
