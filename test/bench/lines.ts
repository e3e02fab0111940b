import { createReadStream } from 'node:fs'

/** `place` is the file and the number of the line, for whoever has to complain about it. */
export type Line = { text: string; place: string }

/**
 * The lines of a file that are not blank, read piece by piece, for a corpus may be larger than a
 * string can be. Only a line feed ends a line: `readline` also ends one at U+2028 and U+2029, which
 * JSON allows within a string. A carriage return before it stays, white space to JSON and to numbers.
 */
export async function* linesOf(file: string): AsyncGenerator<Line> {
  let number = 0
  let rest = ''
  const lineOf = (raw: string): Line => {
    number++
    const text = number === 1 ? raw.replace(/^\uFEFF/, '') : raw
    return { text, place: `${file}:${number}` }
  }
  for await (const piece of createReadStream(file, 'utf8')) {
    const parts = (rest + piece).split('\n')
    rest = parts.pop()!
    for (const line of parts.map(lineOf)) if (line.text.trim() !== '') yield line
  }
  const last = lineOf(rest)
  if (last.text.trim() !== '') yield last
}
