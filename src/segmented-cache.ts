import { LRUCache } from 'lru-cache'

/** Of all there may be, for what was asked for again. */
const shareOfAgain = 3 / 4

type Key = string
type Parts<V> = {
  /** Of all values. */
  maxSize: number
  sizeOf: (value: V, key: Key) => number
  /** Told when one is not there any more, for want of room or as another took its place. */
  dropped?: (value: V) => void
}

/**
 * Remembers what was asked for more than once rather than what came last (segmented LRU: Karedla, Love
 * and Wherry, Caching Strategies to Improve Disk System Performance, 1994). Where what is asked for again
 * and again is a little more than there is room for, LRU drops each just before it is asked for: beside
 * new documents, hybrid queries of 100,000 fragments read 15 rows each anew so, and now one.
 */
export class SegmentedCache<V extends object> {
  readonly #sizeOf: (value: V, key: Key) => number
  readonly #once: LRUCache<Key, V>
  readonly #again: LRUCache<Key, V>

  constructor({ maxSize, sizeOf, dropped = () => undefined }: Parts<V>) {
    this.#sizeOf = sizeOf
    const sizeCalculation = sizeOf
    const ofAgain = Math.floor(maxSize * shareOfAgain)
    this.#once = new LRUCache({
      maxSize: maxSize - ofAgain,
      sizeCalculation,
      // What is deleted goes to the others.
      dispose: (value, _, reason) => reason !== 'delete' && dropped(value),
    })
    this.#again = new LRUCache({
      maxSize: ofAgain,
      sizeCalculation,
      dispose: (value, key, reason) =>
        reason === 'evict' ? this.#once.set(key, value) : dropped(value),
    })
  }

  get size(): number {
    return this.#once.size + this.#again.size
  }

  get(key: Key): V | undefined {
    const again = this.#again.get(key)
    if (again) return again
    const once = this.#once.peek(key)
    if (once) {
      this.#once.delete(key)
      this.#again.set(key, once)
    }
    return once
  }

  /** The same without a difference for how long it is remembered. */
  peek(key: Key): V | undefined {
    return this.#again.peek(key) ?? this.#once.peek(key)
  }

  set(key: Key, value: V): void {
    const isKept = this.#again.has(key) || (!this.#once.has(key) && this.#hasRoom(key, value))
    if (isKept) this.#again.set(key, value)
    else this.#once.set(key, value)
  }

  /** Until there are enough to choose from, all are kept. */
  #hasRoom(key: Key, value: V): boolean {
    const { calculatedSize, maxSize } = this.#again
    return calculatedSize + this.#sizeOf(value, key) <= maxSize
  }
}
