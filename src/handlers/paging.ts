import { hash } from 'node:crypto'
import type { Page } from '../domain/list-page.ts'
import { InvalidRequest } from '../errors/errors.ts'
import type { PageCursor } from '../store/types.ts'

/** Names a list by its path and filters. A cursor holds the name, because it is only valid for its list. */
export function nameOfList(path: string, filters: object): string {
  const all = Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const digest = hash('sha256', JSON.stringify(all)).slice(0, 16)
  return all.length === 0 ? path : `${path}?${digest}`
}

/** @param list the name of the list, without blanks */
export function toWirePage<T, Wire>(page: Page<T>, list: string, toWire: (item: T) => Wire) {
  return { data: page.items.map(toWire), nextCursor: page.last ? toCursor(page.last, list) : null }
}

/** The position that a cursor starts after. @throws InvalidRequest if the cursor was not made for this list */
export function fromCursor(cursor: string | undefined, list: string): PageCursor | undefined {
  if (cursor === undefined) return undefined
  const [createdAt, id, name, ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!createdAt || !id || name !== list || rest.length > 0 || !instant.test(createdAt)) {
    throw new InvalidRequest([
      { pointer: '/query/cursor', detail: 'is not the nextCursor of a page of this list' },
    ])
  }
  return { createdAt, id }
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const toCursor = ({ createdAt, id }: PageCursor, list: string): string =>
  Buffer.from(`${createdAt} ${id} ${list}`).toString('base64url')
