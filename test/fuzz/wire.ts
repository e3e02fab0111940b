import type { Operation } from '../support/contract.ts'
import type { Caller } from './callers.ts'

/** A request as it goes over the wire: `target` is the path with its query. */
export type Wire = {
  method: string
  target: string
  headers: [name: string, value: string][]
  body?: Buffer
}

export type Answer = { status: number; headers: Headers; text: string }

/**
 * What the contract has to say of a request: it is valid, it breaks a rule (400, 413 or 415), it names
 * what the caller has not (404), its key is none (401) or lacks the scope (403), or anything that is
 * declared may be answered.
 */
export type Expectation =
  | 'valid'
  | 'broken'
  | 'absent'
  | 'unauthenticated'
  | 'forbidden'
  | 'anything'

/** A request, who makes it and what is expected; without an operation it is for none of the contract. */
export type Case = {
  /** What was done to it, in a few words. */
  title: string
  caller: Caller
  expected: Expectation
  operation?: Operation
} & ({ wire: Wire } | { bytes: Buffer })

/** What goes over the wire, for people to send again. */
export function bytesOf(one: Case): Buffer {
  if ('bytes' in one) return one.bytes
  const { method, target, headers, body = Buffer.alloc(0) } = one.wire
  const length = body.length > 0 ? [`Content-Length: ${body.length}`] : []
  const fields = headers.map(([name, value]) => `${name}: ${value}`)
  const head = [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...fields, ...length, '', '']
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), body])
}

/** The path without its query. */
export const pathOfTarget = (target: string): string => target.split('?')[0]!
