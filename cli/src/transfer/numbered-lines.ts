import { createReadStream } from 'node:fs'

export type NumberedLine = { number: number; line: string }

/** The lines of a file, or of standard input for `-`, from 1; blank ones are left out. */
export async function* numberedLines(path: string): AsyncGenerator<NumberedLine, undefined> {
  let number = 0
  for await (const line of lines(path)) {
    number += 1
    // JSON takes no byte order mark, which some programs write first.
    const plain = number === 1 ? line.replace('\ufeff', '') : line
    if (plain.trim() !== '') yield { number, line: plain }
  }
  return undefined
}

/** Undefined for standard input, which cannot be read twice. */
export async function countLines(path: string): Promise<number | undefined> {
  if (path === '-') return undefined
  let count = 0
  for await (const _ of numberedLines(path)) count += 1
  return count
}

/** A line ends with a line feed alone: `node:readline` takes U+2028, too, which may stand in JSON. */
async function* lines(path: string): AsyncGenerator<string> {
  const input = path === '-' ? process.stdin : createReadStream(path)
  let rest = ''
  for await (const chunk of input.setEncoding('utf8') as AsyncIterable<string>) {
    const [first = '', ...others] = chunk.split('\n')
    rest += first
    for (const next of others) {
      yield rest
      rest = next
    }
  }
  yield rest
}
