import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

export type NumberedLine = { number: number; line: string }

const linesOf = (path: string) =>
  createInterface({
    input: path === '-' ? process.stdin : createReadStream(path),
    crlfDelay: Infinity,
  })

/** The lines of a file, or of standard input for `-`, from 1; blank ones are left out. */
export async function* numberedLines(path: string): AsyncGenerator<NumberedLine> {
  let number = 0
  for await (const line of linesOf(path)) {
    number += 1
    if (line.trim() !== '') yield { number, line }
  }
}

/** Undefined for standard input, which cannot be read twice. */
export async function countLines(path: string): Promise<number | undefined> {
  if (path === '-') return undefined
  let count = 0
  for await (const _ of numberedLines(path)) count += 1
  return count
}
