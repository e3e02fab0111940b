import type { PageCursor } from '../store/types.ts'

/** `last` is the position that the next page starts after. Undefined if there is none. */
export type Page<T> = { items: T[]; last: PageCursor | undefined }

export async function readPage<T extends PageCursor>(
  limit: number,
  read: (limit: number) => Promise<T[]>,
): Promise<Page<T>> {
  // One more than the page holds shows whether there is another page.
  const rows = await read(limit + 1)
  const items = rows.slice(0, limit)
  return { items, last: rows.length > limit ? items.at(-1) : undefined }
}
