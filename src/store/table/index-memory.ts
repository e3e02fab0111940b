import { LRUCache } from 'lru-cache'

/** What LanceDB may hold of the indexes of one table, and of all together. */
export const maxIndexBytes = 512 * 1024 * 1024

/** The size of an index without rows, and about how much of its rows an index holds. */
const [bytesOfEmpty, shareOfRows] = [1024 * 1024, 1 / 2]

/** `letGo` drops what was read of the indexes. The next search reads it again. */
type Indexed = { readonly bytes: number; letGo(): Promise<void> }

/** Bounds what all tables hold of their indexes. Beyond that, those used longest ago let go. */
export class IndexMemory {
  readonly #tables: LRUCache<Indexed, true>

  constructor(maxSize = maxIndexBytes) {
    this.#tables = new LRUCache<Indexed, true>({
      maxSize,
      sizeCalculation: (_, { bytes }) =>
        Math.min(maxSize, Math.ceil(bytesOfEmpty + bytes * shareOfRows)),
      dispose: (_, table, reason) => {
        if (reason === 'evict') void table.letGo().catch(() => undefined)
      },
    })
  }

  used(table: Indexed): void {
    if (this.#tables.get(table) === undefined) this.#tables.set(table, true)
  }

  /** Call when it has let go, or its size has changed. */
  forget(table: Indexed): void {
    this.#tables.delete(table)
  }
}
