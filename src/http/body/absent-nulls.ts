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

/** Deletes optional members that are null where the schema takes none: many clients send absent ones so. */
export function removeAbsentNulls(schema: BodySchema, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const part of partsOf(schema)) removeAbsentNulls(part, value)
  if (Array.isArray(value)) {
    if (schema.items) for (const item of value) removeAbsentNulls(schema.items, item)
  } else if (schema.additionalProperties === false) {
    removeMembers(schema, value as Record<string, unknown>)
  }
}

function removeMembers(
  { properties = {}, required = [] }: BodySchema,
  value: Record<string, unknown>,
): void {
  for (const [member, schema] of Object.entries(properties)) {
    if (!Object.hasOwn(value, member)) continue
    if (value[member] !== null) removeAbsentNulls(schema, value[member])
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
  return type === undefined && only === undefined && some === undefined
}
