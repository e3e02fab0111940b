import type { Page } from '../domain/page.ts'
import { InvalidRequest } from '../errors/errors.ts'
import type { PageCursor } from '../store/types.ts'

export function toWirePage<T, Wire>(page: Page<T>, toWire: (item: T) => Wire) {
  return { data: page.items.map(toWire), nextCursor: page.last ? toCursor(page.last) : null }
}

/** The position that a cursor starts after. @throws InvalidRequest if the cursor was not made here */
export function fromCursor(cursor: string | undefined): PageCursor | undefined {
  if (cursor === undefined) return undefined
  const [createdAt, id, ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!createdAt || !id || rest.length > 0 || !instant.test(createdAt)) {
    throw new InvalidRequest([
      { pointer: '/query/cursor', detail: 'is not the nextCursor of a page' },
    ])
  }
  return { createdAt, id }
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const toCursor = ({ createdAt, id }: PageCursor): string =>
  Buffer.from(`${createdAt} ${id}`).toString('base64url')
