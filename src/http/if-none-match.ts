import type { Request } from 'express'

/**
 * Whether one who asks has what this tag is of already (RFC 9110, 13.1.2; weak tags count). Express's own
 * `fresh` leaves that to `Cache-Control`, which `fetch` sets to `no-cache` beside every condition.
 */
export function hasAlready({ method, headers }: Request, etag: string): boolean {
  const asked = headers['if-none-match']
  if (asked === undefined || (method !== 'GET' && method !== 'HEAD')) return false
  return asked.trim() === '*' || (asked.match(/"[^"]*"/g) ?? []).some((tag) => tag === etag)
}
