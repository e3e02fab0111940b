import { counted } from '../output/numbers.ts'
import type { Progress } from '../output/progress.ts'

/** Prints what an ingest found besides its files. */
type Notes = Pick<Progress, 'note'>

/** A file's name may hold ends of lines and commands to a terminal. */
export const inOneLine = (path: string): string => path.replace(/\p{Cc}/gu, '\ufffd')

export function tellGone(count: number, { note }: Notes): void {
  if (count === 0) return
  const have = count === 1 ? 'has' : 'have'
  note(`${counted(count, 'document')} ${have} no file with text any more; --delete removes them.`)
}

export function tellElsewhere(count: number, { note }: Notes): void {
  if (count === 0) return
  const are = count === 1 ? 'is of another folder' : 'are of other folders'
  note(`${counted(count, 'document')} ${are} of the same name; "documents delete" removes them.`)
}

export function tellOtherKeys(files: { of: string; key: string }[], { note }: Notes): void {
  const [first] = files
  if (!first) return
  const are = `${counted(files.length, 'file')} ${files.length === 1 ? 'is' : 'are'}`
  note(
    `${are} in as another document, too, such as ${inOneLine(first.of)} as ${inOneLine(first.key)}; ingest the folder that was given before, and delete one of the two.`,
  )
}

export function tellTwice(
  datastore: string,
  countOfFolder: Map<string, number>,
  { note }: Notes,
): void {
  for (const [folder, count] of countOfFolder) {
    const filter = quoted(JSON.stringify({ type: 'eq', key: '/ingest/folder', value: folder }))
    const are = `${counted(count, 'document')} of this folder ${count === 1 ? 'is' : 'are'}`
    const remove = `"documents delete ${datastore} --filter ${inOneLine(filter)}" removes them.`
    note(`${are} in with another --prefix, as ${inOneLine(folder)}; ${remove}`)
  }
}

/** Quoted, so that a shell takes it for one word. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

export function tellLeftOut(count: number, { note }: Notes): void {
  if (count === 0) return
  const are = count === 1 ? 'is of a file' : 'are of files'
  note(
    `${counted(count, 'document')} ${are} that the patterns leave out; "documents delete" removes them.`,
  )
}
