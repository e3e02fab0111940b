import type { Operation } from 'openapi-backend'
import type { Violation } from '../../generated/types.gen.ts'
import { InvalidRequest } from '../errors/errors.ts'
import type { BodySchema } from './body/body-rules.ts'
import { readPart } from './body/json-body.ts'
import { addValue } from './body/repeated.ts'

export type Query = Record<string, unknown>

const maxParameters = 100

/** @throws InvalidRequest */
export function readQuery(target: string, { parameters = [] }: Operation): Query {
  const start = target.indexOf('?')
  const search = start < 0 ? '' : target.slice(start + 1)
  if (search.split('&', maxParameters + 1).length > maxParameters) {
    const detail = `has more than ${maxParameters} parameters`
    throw new InvalidRequest([{ pointer: '/query', detail }])
  }
  const integers = new Set(
    parameters.flatMap((parameter) =>
      'schema' in parameter && isInteger(parameter.schema) ? parameter.name : [],
    ),
  )
  const texts = new Map(
    parameters.flatMap((parameter) =>
      'schema' in parameter ? [[parameter.name, maxJsonLength(parameter.schema)] as const] : [],
    ),
  )
  const query: Query = Object.create(null)
  for (const [name, text] of pairsIn(search)) {
    const maxLength = texts.get(name)
    const read = maxLength === undefined ? text : readJson(name, text, maxLength)
    addValue(query, name, integers.has(name) ? toInteger(text) : read)
  }
  return query
}

/** @throws InvalidRequest naming every parameter that is not UTF-8 */
function pairsIn(search: string): [name: string, text: string][] {
  const pairs = search
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...text] = pair.split('=').map(decodeQuery)
      return [name, text.includes(undefined) ? undefined : text.join('=')] as const
    })
  const broken = pairs.filter(([, text]) => text === undefined)
  if (broken.length > 0) throw new InvalidRequest(broken.map(([name]) => notUtf8(`/query/${name}`)))
  return pairs as [string, string][]
}

const notUtf8 = (pointer: string): Violation => ({
  pointer,
  detail: 'is not percent-encoded UTF-8',
})

/** As `URLSearchParams`, which writes U+FFFD for what is no UTF-8, so that two keys would be one. */
function decodeQuery(text: string): string | undefined {
  try {
    const bytes = text
      .replaceAll('+', ' ')
      .replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return decoder.decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return undefined
  }
}

const maxJsonLength = (schema: object = {}): number | undefined =>
  'x-json-text' in schema ? Number(schema['x-json-text']) : undefined

/** Invalid JSON stays text, which the schema then refuses. @throws InvalidRequest as for a body */
const readJson = (name: string, text: string, maxLength: number): unknown =>
  [...text].length <= maxLength && isJson(text) ? readPart(text, `/query/${name}`) : text

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const isInteger = (schema: object | undefined): boolean =>
  schema !== undefined && 'type' in schema && schema.type === 'integer'

const toInteger = (value: string): string | number =>
  /^-?\d{1,15}$/.test(value) ? Number(value) : value

/** @throws InvalidRequest naming every parameter that is not percent-encoded UTF-8 */
export function decodePath(params: Record<string, string>): Record<string, string> {
  const decoded = Object.entries(params).map(([name, value]) => [name, decode(value)] as const)
  const broken = decoded.filter(([, value]) => value === undefined)
  if (broken.length > 0) {
    throw new InvalidRequest(broken.map(([name]) => notUtf8(`/path/${name}`)))
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

/** A body may repeat the ids of the path, as a body read from the service does, but not name others. */
export function pathMismatches(
  body: unknown,
  params: Record<string, string>,
  { properties = {} }: BodySchema,
): Violation[] {
  if (typeof body !== 'object' || body === null) return []
  const members = new Map(Object.entries(body))
  return Object.entries(params)
    .filter(([name]) => Object.hasOwn(properties, name))
    .filter(([name, value]) => typeof members.get(name) === 'string' && members.get(name) !== value)
    .map(([name]) => ({ pointer: `/${name}`, detail: `must be the ${name} in the path` }))
}
