/** What is looked at of a schema without references. */
export type BodySchema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, BodySchema>
  additionalProperties?: unknown
  items?: BodySchema
  oneOf?: BodySchema[]
  anyOf?: BodySchema[]
  allOf?: BodySchema[]
}

/**
 * Takes out of a value the optional members that are null where their schema gives null no meaning,
 * for many write so what they leave out. What the contract leaves open is not touched.
 */
export function removeAbsent(schema: BodySchema, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const part of partsOf(schema)) removeAbsent(part, value)
  if (Array.isArray(value)) {
    if (schema.items) for (const item of value) removeAbsent(schema.items, item)
  } else if (schema.additionalProperties === false) {
    removeFromObject(schema, value as Record<string, unknown>)
  }
}

function removeFromObject(
  { properties = {}, required = [] }: BodySchema,
  value: Record<string, unknown>,
): void {
  for (const [member, schema] of Object.entries(properties)) {
    if (!Object.hasOwn(value, member)) continue
    if (value[member] !== null) removeAbsent(schema, value[member])
    else if (!required.includes(member) && !takesNull(schema)) delete value[member]
  }
}

const partsOf = ({ oneOf = [], anyOf = [], allOf = [] }: BodySchema): BodySchema[] => [
  ...oneOf,
  ...anyOf,
  ...allOf,
]

function takesNull(schema: BodySchema): boolean {
  const { type, const: only, enum: some } = schema
  if (only === null || some?.includes(null) || [type].flat().includes('null')) return true
  const parts = partsOf(schema)
  if (parts.length > 0) return parts.some(takesNull)
  // A schema that says nothing of the kind takes anything.
  return type === undefined && only === undefined && some === undefined
}
