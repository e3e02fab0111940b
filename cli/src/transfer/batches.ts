import type { Line } from './line.ts'

/** A document of an export, and the number of its line. */
export type Read = { number: number; line: Line }

/** Few enough to be embedded within the time of a request. */
const maxDocuments = 100
const maxCharacters = 1_048_576

/** Documents that one request takes together; a long one is alone. */
export async function* batchesOf(all: AsyncIterable<Read>): AsyncGenerator<Read[]> {
  let batch: Read[] = []
  let characters = 0
  for await (const read of all) {
    const { length } = read.line.text
    const hasRoom = batch.length < maxDocuments && characters + length <= maxCharacters
    if (batch.length > 0 && !hasRoom) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(read)
    characters += length
  }
  if (batch.length > 0) yield batch
}
