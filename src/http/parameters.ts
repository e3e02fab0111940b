import type { Operation } from 'openapi-backend'
import { InvalidRequest } from '../errors.ts'

export type Query = Record<string, string | number | (string | number)[]>

/**
 * The query parameters of a request, those that are integers as numbers. One that stands there
 * several times becomes a list, which no schema takes.
 */
export function readQuery(search: string, { parameters = [] }: Operation): Query {
  const integers = new Set(
    parameters.flatMap((parameter) =>
      'schema' in parameter && isInteger(parameter.schema) ? parameter.name : [],
    ),
  )
  const query: Query = Object.create(null)
  const sent = new URLSearchParams(search)
  for (const name of new Set(sent.keys())) {
    const values = sent.getAll(name).map((value) => (integers.has(name) ? toInteger(value) : value))
    query[name] = values.length === 1 ? values[0]! : values
  }
  return query
}

const isInteger = (schema: object | undefined): boolean =>
  schema !== undefined && 'type' in schema && schema.type === 'integer'

/** What is no integer stays a string, which the schema then refuses. */
const toInteger = (value: string): string | number =>
  /^-?\d{1,15}$/.test(value) ? Number(value) : value

/** @throws InvalidRequest naming every parameter that is not percent-encoded UTF-8 */
export function decodePath(params: Record<string, string>): Record<string, string> {
  const decoded = Object.entries(params).map(([name, value]) => [name, decode(value)] as const)
  const broken = decoded.filter(([, value]) => value === undefined)
  if (broken.length > 0) {
    const detail = 'is not percent-encoded UTF-8'
    throw new InvalidRequest(broken.map(([name]) => ({ pointer: `/path/${name}`, detail })))
  }
  return Object.fromEntries(decoded) as Record<string, string>
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
