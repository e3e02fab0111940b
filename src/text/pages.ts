import { skipBlanks } from './blanks.ts'

/** The page, from 1, at an offset. @param starts where each page begins */
export function pageAt(starts: readonly number[], offset: number): number {
  const next = starts.findIndex((start) => start > offset)
  return next < 0 ? starts.length : Math.max(1, next)
}

/** The pages, from 1, without a visible character. @param starts where each page begins */
export const emptyPages = (starts: readonly number[], text: string): number[] =>
  starts.flatMap((start, index) => {
    const end = starts[index + 1] ?? text.length
    return skipBlanks(text, start) < end ? [] : [index + 1]
  })
