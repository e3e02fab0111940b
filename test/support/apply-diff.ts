import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Applies a diff as the documents write it: `+++` names a file, `@@` parts its hunks, and a hunk is found
 * by its lines alone, which must stand in the file once. A file that is not there is made.
 */
export async function applyDiff(directory: string, diff: string): Promise<void> {
  for (const part of diff.split(/^\+\+\+ /m).slice(1)) {
    const [name = '', ...lines] = part.trimEnd().split('\n')
    const file = join(directory, name)
    let text = existsSync(file) ? await readFile(file, 'utf8') : ''
    for (const hunk of hunksOf(lines)) text = applied(text, hunk, name)
    await writeFile(file, text)
  }
}

const hunksOf = (lines: string[]): string[][] =>
  lines
    .join('\n')
    .split(/^@@\n/m)
    .map((hunk) => hunk.replace(/\n$/, '').split('\n'))

function applied(text: string, hunk: string[], name: string): string {
  const before = asLines(hunk.filter((line) => !line.startsWith('+')))
  const after = asLines(hunk.filter((line) => !line.startsWith('-')))
  if (text === '' && before === '\n') return after.slice(1)
  const pieces = `\n${text}`.split(before)
  if (pieces.length !== 2) throw new Error(`${name} has ${pieces.length - 1} times:${before}`)
  return pieces.join(after).slice(1)
}

/** Without the mark at the start of each line, and whole lines only. */
const asLines = (lines: string[]): string =>
  `\n${lines.map((line) => `${line.slice(1)}\n`).join('')}`
