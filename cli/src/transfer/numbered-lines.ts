import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'

/** Undefined is a line that is not UTF-8. */
export type NumberedLine = { number: number; line: string | undefined }

/** The lines of a file, or of standard input for `-`, from 1; blank ones are left out. */
export async function* numberedLines(path: string): AsyncGenerator<NumberedLine, undefined> {
  let number = 0
  for await (const line of lines(path)) {
    number += 1
    if (line?.trim() !== '') yield { number, line }
  }
  return undefined
}

/** Undefined for standard input and for a pipe, which cannot be read twice. */
export async function countLines(path: string): Promise<number | undefined> {
  if (path === '-' || (await stat(path)).isFIFO()) return undefined
  let count = 0
  for await (const _ of numberedLines(path)) count += 1
  return count
}

const lineFeed = 0x0a

/** Only a line feed ends a line: `node:readline` also takes U+2028, which JSON may hold. */
async function* lines(path: string): AsyncGenerator<string | undefined> {
  const input = path === '-' ? process.stdin : createReadStream(path)
  let parts: Buffer[] = []
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      yield decoded([...parts, chunk.subarray(from, end)])
      parts = []
      from = end + 1
    }
    parts.push(chunk.subarray(from))
  }
  yield decoded(parts)
}

/** Without a byte order mark, which some programs write first and JSON does not take. */
function decoded(parts: Buffer[]): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))
  } catch {
    return undefined
  }
}
