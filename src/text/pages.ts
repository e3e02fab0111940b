/** The page, from 1, that has the first visible character at or after a place; `starts` are of the pages. */
export function pageAt(starts: readonly number[], place: number): number {
  const next = starts.findIndex((start) => start > place)
  return next < 0 ? starts.length : Math.max(1, next)
}
