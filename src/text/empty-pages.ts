import { skipBlanks } from './blanks.ts'

/** The pages, from 1, that have no visible character; `starts` are of all of them. */
export const emptyPages = (starts: readonly number[], text: string): number[] =>
  starts.flatMap((start, index) => {
    const end = starts[index + 1] ?? text.length
    return skipBlanks(text, start) < end ? [] : [index + 1]
  })
