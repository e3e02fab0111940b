import type { Table } from '@lancedb/lancedb'
import { LRUCache } from 'lru-cache'
import { readRows } from '../lance/read-rows.ts'
import { type Found, foundColumns, type FoundRow, toFound } from './found.ts'

/** Holds what some thousand questions find in 100,000 rows. With less, rows go just before they are needed. */
const maxBytes = 384 * 1024 * 1024
/** Beside the strings and vector of a row, with what ranking keeps of its text. */
const bytesPerRow = 1_500

export type AddressedRow = FoundRow & { _rowid: bigint }

/** Remembers rows by address. Writes and compactions use new addresses, so a row at an address never changes. */
export class RowCache {
  readonly #rows: LRUCache<string, Found>
  #tables = 0

  constructor(maxSize = maxBytes) {
    this.#rows = new LRUCache<string, Found>({
      maxSize,
      sizeCalculation: ({ text, name, source, vector }) =>
        2 * (text.length + name.length + source.length) + vector.byteLength + bytesPerRow,
    })
  }

  forTable(): CachedRows {
    return new CachedRows(this.#rows, this.#tables++)
  }
}

export class CachedRows {
  readonly #rows: LRUCache<string, Found>
  readonly #table: number
  readonly #keys = new Set<string>()
  #lance: Table | undefined

  constructor(rows: LRUCache<string, Found>, table: number) {
    this.#rows = rows
    this.#table = table
  }

  /** The rows at these addresses, except rows that moved meanwhile. */
  async read(addresses: bigint[], lance: Table): Promise<Map<bigint, Found>> {
    this.#forgetUnless(lance)
    const found = new Map<bigint, Found>()
    const unknown = new Set<bigint>()
    for (const address of addresses) {
      const row = this.#rows.get(this.#keyOf(address))
      if (row) found.set(address, row)
      else unknown.add(address)
    }
    if (unknown.size === 0) return found
    const taken = await lance
      .takeRowIds([...unknown])
      .select(foundColumns)
      .withRowId()
      .toArrow()
    for (const row of readRows<AddressedRow>(taken)) {
      const { _rowid: address } = row
      found.set(address, this.remember(row))
    }
    return found
  }

  remember(row: AddressedRow): Found {
    const found = toFound(row)
    const { _rowid: address } = row
    const key = this.#keyOf(address)
    this.#rows.set(key, found)
    this.#keys.add(key)
    return found
  }

  /** A compaction moves rows and changes the handle. Rows at old addresses would waste memory. */
  #forgetUnless(lance: Table): void {
    if (this.#lance !== undefined && lance !== this.#lance) {
      for (const key of this.#keys) this.#rows.delete(key)
      this.#keys.clear()
    }
    this.#lance = lance
  }

  #keyOf(address: bigint): string {
    return `${this.#table}:${address}`
  }
}
