import type { Table } from '@lancedb/lancedb'
import { LRUCache } from 'lru-cache'
import { readRows } from './read-rows.ts'
import { type Found, foundColumns, type FoundRow, toFound } from './hits.ts'

/**
 * What the rows of all tables may take: 53,000 fragments of 400 characters, which is all that 2,000
 * questions find among 100,000, with the vectors of the built-in embedder. Hybrid queries are answered
 * twice as fast then as with a third of them. With other vectors of 1,024 numbers it is 39,000.
 */
const mostBytes = 200 * 1024 * 1024
/** What a row takes beside its text and vector. */
const bytesARow = 512

/**
 * Remembers the rows that searches found, by their addresses. What stands at an address never
 * changes: a write puts its rows at new ones, a merger too, and no address is given twice. So a row
 * remembered is the row that a search means, whatever has been written since.
 */
export class RowCache {
  readonly #rows = new LRUCache<string, Found>({
    maxSize: mostBytes,
    sizeCalculation: ({ text, direction }) => 2 * text.length + direction.byteLength + bytesARow,
  })
  #tables = 0

  /** For one table, as long as it is open. */
  forTable(): TableRows {
    return new TableRows(this.#rows, this.#tables++)
  }
}

export type AddressedRow = FoundRow & { _rowid: bigint }

/** The rows of one table. */
export class TableRows {
  readonly #rows: LRUCache<string, Found>
  readonly #table: number

  constructor(rows: LRUCache<string, Found>, table: number) {
    this.#rows = rows
    this.#table = table
  }

  /** The rows at these addresses. One that was merged away is missing unless it is remembered. */
  async at(addresses: Iterable<bigint>, lance: Table): Promise<ReadonlyMap<bigint, Found>> {
    const found = new Map<bigint, Found>()
    const unknown: bigint[] = []
    for (const address of new Set(addresses)) {
      const row = this.#rows.get(this.#key(address))
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
    const { _rowid: address } = row
    const found = toFound(row)
    this.#rows.set(this.#key(address), found)
    return found
  }

  #key(address: bigint): string {
    return `${this.#table}:${address}`
  }
}
