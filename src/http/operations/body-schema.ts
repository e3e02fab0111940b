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
