import { skipBlanks } from './blanks.ts'

/** The page, from 1, that has the first visible character at or after a place; `starts` are of the pages. */
export function pageAt(starts: readonly number[], place: number): number {
  const next = starts.findIndex((start) => start > place)
  return next < 0 ? starts.length : Math.max(1, next)
}

/** The pages, from 1, that have no visible character; `starts` are of all of them. */
export const emptyPages = (starts: readonly number[], text: string): number[] =>
  starts.flatMap((start, index) => {
    const end = starts[index + 1] ?? text.length
    return skipBlanks(text, start) < end ? [] : [index + 1]
  })
