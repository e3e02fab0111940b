import { LRUCache } from 'lru-cache'

/**
 * Of texts of 400 characters about as much as the rows that one table may hold here. With
 * 100,000 fragments and 512 clients of hybrid queries beside it the process stays below 1 GiB.
 */
const mostBytes = 256 * 1024 * 1024

/** What can be left out, for it is in files as well. */
export type Forgettable = { forget(): void }

/** What the fresh rows of all tables may take: those that were searched longest ago go first. */
export class FreshMemory {
  readonly #held: LRUCache<Forgettable, number>

  constructor(maxSize = mostBytes) {
    this.#held = new LRUCache<Forgettable, number>({
      maxSize,
      sizeCalculation: (bytes) => bytes,
      // Not before it is gone, for what is forgotten says that it takes nothing.
      disposeAfter: (_, rows, reason) => {
        if (reason === 'evict') rows.forget()
      },
    })
  }

  /** To be called when rows take so many bytes. They may be forgotten before this returns. */
  hold(rows: Forgettable, bytes: number): void {
    if (bytes === 0) this.#held.delete(rows)
    else if (!this.#held.set(rows, bytes).has(rows)) rows.forget()
  }

  /** To be called when they are searched. */
  touch(rows: Forgettable): void {
    this.#held.get(rows)
  }
}
