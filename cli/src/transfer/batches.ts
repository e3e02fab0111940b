import type { Line } from './line.ts'

/** A document of an export, and the number of its line. */
export type Read = { number: number; line: Line }

/** Few enough to be embedded within the time of a request. */
const maxDocuments = 100
const maxCharacters = 1_048_576

/** Documents of different keys that one request takes together; a long one is alone. */
export async function* batchesOf(all: AsyncIterable<Read>): AsyncGenerator<Read[]> {
  const batch = new Map<string, Read>()
  let characters = 0
  for await (const read of all) {
    const { key, text } = read.line
    const hasRoom = batch.size < maxDocuments && characters + text.length <= maxCharacters
    if (batch.size > 0 && (!hasRoom || batch.has(key))) {
      yield [...batch.values()]
      batch.clear()
      characters = 0
    }
    batch.set(key, read)
    characters += text.length
  }
  if (batch.size > 0) yield [...batch.values()]
}
