import type { Operation } from 'openapi-backend'

export type BodyRules = {
  maxBytes: number
  schema: BodySchema
  deprecations?: Deprecations
  isIgnored: boolean
  kind: 'json' | 'form' | 'file'
}

export function bodyRulesOf({ operationId, requestBody }: Operation): BodyRules | undefined {
  if (!requestBody) return undefined
  const { 'x-max-bytes': maxBytes, content } = requestBody as {
    'x-max-bytes'?: number
    content?: Record<string, { schema: BodySchema }>
  }
  const schema = content?.['application/json']?.schema
  if (maxBytes === undefined || !schema) {
    throw new Error(`The contract gives the body of ${operationId} no schema or no x-max-bytes.`)
  }
  const isIgnored = schema.properties === undefined
  const deprecations = deprecationsOf(schema)
  return {
    maxBytes,
    schema,
    ...(deprecations.size > 0 && { deprecations }),
    isIgnored,
    kind: kindOf(content),
  }
}

function kindOf(content: object = {}): BodyRules['kind'] {
  if ('multipart/form-data' in content) return 'form'
  return 'application/octet-stream' in content ? 'file' : 'json'
}

/** The part of a body's schema that is used here. Its references are resolved. */
export type BodySchema = {
  type?: string | string[]
  required?: string[]
  properties?: Record<string, BodySchema>
  items?: BodySchema
  oneOf?: BodySchema[]
  anyOf?: BodySchema[]
  allOf?: BodySchema[]
  'x-deprecated-since'?: string
}

export function isOptional(schema: BodySchema, [member, ...rest]: string[]): boolean {
  if (member === undefined) return false
  const parts = partsOf(schema)
  if (rest.length > 0) {
    const below = parts.map(({ properties = {}, items }) => properties[member] ?? items)
    return below.some((part) => part !== undefined && isOptional(part, rest))
  }
  const isKnown = parts.some(({ properties = {} }) => Object.hasOwn(properties, member))
  return isKnown && !parts.some(({ required = [] }) => required.includes(member))
}

function partsOf(schema: BodySchema): BodySchema[] {
  const { oneOf = [], anyOf = [], allOf = [] } = schema
  return [schema, ...[...oneOf, ...anyOf, ...allOf].flatMap(partsOf)]
}

/** The deprecated members of a body, with the time since when, in seconds since 1970. */
export type Deprecations = ReadonlyMap<string, number>

function deprecationsOf({ properties = {} }: BodySchema): Deprecations {
  const dated = Object.entries(properties).flatMap(([name, property]) => {
    const since = property['x-deprecated-since']
    return since === undefined ? [] : [[name, Date.parse(since) / 1000] as const]
  })
  return new Map(dated)
}

export const usedDeprecations = (deprecations: Deprecations, body: unknown): string[] =>
  typeof body === 'object' && body !== null
    ? [...deprecations.keys()].filter((name) => Object.hasOwn(body, name))
    : []

/** Headers of RFC 9745. The link leads to the replacement. */
export function deprecationHeaders(
  deprecations: Deprecations,
  used: string[],
  docs: string,
): Record<string, string> {
  if (used.length === 0) return {}
  const since = Math.min(...used.map((name) => deprecations.get(name)!))
  return { Deprecation: `@${since}`, Link: `<${docs}>; rel="deprecation"; type="text/html"` }
}
