import type { Operation } from 'openapi-backend'
import type { Violation } from '../../generated/types.gen.ts'
import { InvalidRequest } from '../errors/errors.ts'
import type { BodySchema } from './body/body-rules.ts'
import { addValue, readPart } from './body/json-body.ts'
import { isJson } from './body/json-fault.ts'

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
  const schemas = new Map(
    parameters.flatMap((one) =>
      'schema' in one ? [[one.name, one.schema as ValueSchema] as const] : [],
    ),
  )
  const query: Query = Object.create(null)
  for (const [name, text] of pairsIn(search)) {
    addValue(query, name, readValue(name, text, schemas.get(name)))
  }
  return query
}

type ValueSchema = { type?: string; 'x-json-text'?: number } | undefined

/** Invalid JSON stays text, which the schema then refuses. @throws InvalidRequest as for a body */
function readValue(name: string, text: string, schema: ValueSchema): unknown {
  const maxLength = schema?.['x-json-text']
  if (maxLength !== undefined && [...text].length <= maxLength && isJson(text)) {
    return readPart(text, `/query/${name}`)
  }
  return schema?.type === 'integer' && /^-?\d{1,15}$/.test(text) ? Number(text) : text
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

/** @throws InvalidRequest naming every parameter that is not percent-encoded UTF-8 */
export function decodePath(params: Record<string, string>): Record<string, string> {
  const decoded = Object.entries(params).map(([name, value]) => [name, decode(value)] as const)
  const broken = decoded.filter(([, value]) => value === undefined)
  if (broken.length > 0) throw new InvalidRequest(broken.map(([name]) => notUtf8(`/path/${name}`)))
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
