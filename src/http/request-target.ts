import type { Operation } from 'openapi-backend'
import type { Violation } from '../../generated/types.gen.ts'
import { InvalidRequest, MethodNotAllowed, ServiceError } from '../errors/errors.ts'
import type { BodySchema } from './body/body-rules.ts'
import { addValue, readPart } from './body/json-body.ts'
import { isJson } from './body/json-fault.ts'

/** `params` are not decoded. */
export type Match = { operation: Operation; params: Record<string, string> }

type Route = {
  pattern: RegExp
  names: string[]
  literalLength: number
  operations: Map<string, Operation>
}

/** Finds operations by path. openapi-backend would compile its patterns for each request. */
export class Matcher {
  readonly #routes: Route[]

  constructor(operations: Operation[]) {
    const byPath = Map.groupBy(operations, ({ path }) => path)
    this.#routes = Array.from(byPath, ([path, ofPath]) => toRoute(path, ofPath))
    this.#routes.sort((a, b) => b.literalLength - a.literalLength)
  }

  /** HEAD is matched as GET. @throws ServiceError `unknown_path`, MethodNotAllowed */
  match(method: string, path: string): Match {
    for (const { pattern, names, operations } of this.#routes) {
      const values = pattern.exec(path)
      if (!values) continue
      const operation = operations.get(method === 'HEAD' ? 'GET' : method)
      if (!operation) throw new MethodNotAllowed(allowed(operations.keys()))
      const params = Object.fromEntries(names.map((name, index) => [name, values[index + 1] ?? '']))
      return { operation, params }
    }
    throw this.#unknown(path)
  }

  /** The methods of a path. `*` stands for the whole server. @throws ServiceError `unknown_path` */
  methods({ originalUrl, path }: { originalUrl: string; path: string }): string[] {
    const routes = this.#routes.filter(({ pattern }) => originalUrl === '*' || pattern.test(path))
    if (routes.length === 0) throw this.#unknown(path)
    return allowed(routes.flatMap(({ operations }) => Array.from(operations.keys())))
  }

  /** Two paths begin with /api and the others do not, which is easily mixed up. */
  #unknown(path: string): ServiceError {
    const other = path.startsWith('/api/') ? path.slice('/api'.length) : `/api${path}`
    const isKnown = this.#routes.some(({ pattern }) => pattern.test(other))
    const hint = isKnown ? ` Did you mean ${other}?` : hintOf(path)
    return new ServiceError('unknown_path', `The service has no such path.${hint}`)
  }
}

function toRoute(path: string, operations: Operation[]): Route {
  const literals = path.split(/\{[^}]+\}/)
  return {
    pattern: new RegExp(`^${literals.map((literal) => RegExp.escape(literal)).join('([^/]+)')}$`),
    names: Array.from(path.matchAll(/\{([^}]+)\}/g), (match) => match[1] ?? ''),
    literalLength: literals.join('').length,
    operations: new Map(operations.map((operation) => [operation.method.toUpperCase(), operation])),
  }
}

const allowed = (methods: Iterable<string>): string[] => {
  const all = [...new Set(methods)]
  return [...all.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)), 'OPTIONS']
}

const slashInKey = /^\/datastores\/[^/]+\/(?:documents|files)\/.+\//

function hintOf(path: string): string {
  if (path.includes('//')) {
    return ' It has two slashes in a row: is there one at the end of the base address?'
  }
  if (path.endsWith('/')) return ' Leave out the slash at its end.'
  return slashInKey.test(path) ? ' Write a slash of a key as %2F.' : ''
}

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

/** Undefined if it is not UTF-8. `URLSearchParams` would write U+FFFD, so that two keys would be one. */
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
