import type { Position } from '../store/filter.ts'

/** A page of a list, and the position the next one starts after; undefined when this is the last. */
export type Page<T> = { items: T[]; last: Position | undefined }

/** Reads one row more than the page holds, to know whether there is another page. */
export async function readPage<T extends Position>(
  limit: number,
  read: (limit: number) => Promise<T[]>,
): Promise<Page<T>> {
  const rows = await read(limit + 1)
  const items = rows.slice(0, limit)
  return { items, last: rows.length > limit ? items.at(-1) : undefined }
}
