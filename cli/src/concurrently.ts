import { setMaxListeners } from 'node:events'
import pMap from 'p-map'

/** Works on some items at a time. The first error aborts the running work. */
export async function concurrently<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  { concurrency, signal }: { concurrency: number; signal: AbortSignal },
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failure = new AbortController()
  const either = AbortSignal.any([signal, failure.signal])
  // Every item that waits to be sent again listens.
  setMaxListeners(0, either)
  try {
    await pMap(items, (item) => work(item, either), { concurrency, signal })
  } catch (error) {
    failure.abort()
    throw error
  }
}
