import type { Request } from 'express'
import type { Operation } from 'openapi-backend'
import { InvalidRequest } from '../../errors/errors.ts'

/** Refuses conditions that the operation does not support (RFC 9110, 13.1). @throws InvalidRequest */
export function checkPreconditions(
  headers: Request['headers'],
  { method, parameters = [] }: Operation,
): void {
  const taken = new Set(
    parameters.flatMap((each) => ('name' in each ? each.name.toLowerCase() : [])),
  )
  const untaken = (method === 'get' ? ['if-match'] : ['if-match', 'if-none-match']).filter(
    (name) => headers[name] !== undefined && !taken.has(name),
  )
  if (untaken.length === 0) return
  const detail = 'is not taken by this operation; leave it out'
  throw new InvalidRequest(untaken.map((name) => ({ pointer: `/header/${name}`, detail })))
}

/** RFC 9110, 13.1.2. Express's `fresh` heeds `Cache-Control`, which `fetch` sends with every condition. */
export function isNotModified({ method, headers }: Request, etag: string): boolean {
  const asked = headers['if-none-match']
  if (asked === undefined || (method !== 'GET' && method !== 'HEAD')) return false
  return asked.trim() === '*' || (asked.match(/"[^"]*"/g) ?? []).some((tag) => tag === etag)
}
