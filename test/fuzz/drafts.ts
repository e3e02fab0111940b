import type { Json, Operation, Parameter } from '../support/contract.ts'
import type { Random } from '../support/random.ts'
import { fit } from './bodies.ts'
import type { Caller } from './callers.ts'
import { targetOf } from './targets.ts'
import type { Draw } from './texts.ts'
import { stringOf, valueOf } from './values.ts'
import type { Wire } from './wire.ts'

/** A request by its parts, before it is written. */
export type Draft = {
  operation: Operation
  caller: Caller
  ids: Record<string, string>
  query: [name: string, value: string][]
  headers: [name: string, value: string][]
  body?: Json
}

export const drawOf = (random: Random, { workspace }: Caller): Draw => ({
  random,
  marker: workspace.marker,
})

/** A valid request for what the caller has; undefined where it has no such thing yet. */
export function draftOf(operation: Operation, caller: Caller, random: Random): Draft | undefined {
  const ids = targetOf(operation, caller.workspace.things, random)
  if (!ids) return undefined
  const draw = drawOf(random, caller)
  const draft: Draft = {
    operation,
    caller,
    ids,
    query: parametersOf(operation, 'query', draw),
    headers: [...headersOf(caller, random), ...parametersOf(operation, 'header', draw)],
  }
  const schema = operation.requestBody?.content['application/json']?.schema
  if (!schema || (!operation.requestBody?.required && random.chance(0.5))) return draft
  const body = valueOf(schema as { [keyword: string]: Json }, draw)
  return { ...draft, body: fit(operation.operationId, body, draft, random) }
}

const headersOf = ({ authorization }: Caller, random: Random): Draft['headers'] => [
  ...(authorization === undefined ? [] : [['Authorization', authorization] as [string, string]]),
  ...(random.chance(0.2)
    ? [['Accept-Encoding', random.pick(['gzip', 'br', '*'])] as [string, string]]
    : []),
]

/** Those that are required, and some of the others; which cursors there are only the service knows. */
function parametersOf(
  { parameters }: Operation,
  place: Parameter['in'],
  draw: Draw,
): [string, string][] {
  return parameters
    .filter(({ in: part, name }) => part === place && name !== 'cursor')
    .filter(({ required }) => required || draw.random.chance(0.25))
    .map(({ name, schema }) => [name, parameterOf(schema, place, draw)])
}

function parameterOf(schema: Parameter['schema'], place: Parameter['in'], draw: Draw): string {
  const value = valueOf(schema, draw)
  if (typeof value !== 'string') return String(value)
  // Blanks at its ends are no part of a header's value, and a long one is too much for the line.
  const fits = place === 'header' ? /^[!-~]([ -~]*[!-~])?$/ : /^[^]{0,2000}$/
  return fits.test(value) ? value : stringOf(schema, draw, (text) => fits.test(text))
}

export function toWire({ operation, ids, query, headers, body }: Draft): Wire {
  const path = Object.entries(ids).reduce(
    (result, [name, id]) => result.replace(`{${name}}`, () => encodeURIComponent(id)),
    operation.path,
  )
  const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
  return {
    method: operation.method,
    target: search === '' ? path : `${path}?${search}`,
    headers: body === undefined ? headers : [...headers, ['Content-Type', 'application/json']],
    ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
  }
}
