import type { IncomingMessage } from 'node:http'
import type { Operation } from 'openapi-backend'
import { InvalidRequest } from '../errors.ts'

/**
 * What is to be done only on a condition must not be done where the condition is not looked at
 * (RFC 9110, 13.1).
 * @throws InvalidRequest naming each such header that the operation does not take
 */
export function checkPreconditions(
  headers: IncomingMessage['headers'],
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
