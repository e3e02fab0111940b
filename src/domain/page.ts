import type { PageCursor } from '../store/types.ts'

/** `last` is the position the next page starts after; undefined when there is none. */
export type Page<T> = { items: T[]; last: PageCursor | undefined }

export async function readPage<T extends PageCursor>(
  limit: number,
  read: (limit: number) => Promise<T[]>,
): Promise<Page<T>> {
  // One more than the page holds, to know whether there is another.
  const rows = await read(limit + 1)
  const items = rows.slice(0, limit)
  return { items, last: rows.length > limit ? items.at(-1) : undefined }
}
