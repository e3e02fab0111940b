export type Schema = Record<string, unknown>
export type Schemas = Record<string, Schema>

/** A schema with what it refers to in it, or in its `$defs`, without our own keywords, formats and examples. */
export function standalone(schema: Schema, schemas: Schemas): Schema {
  const $defs: Schemas = {}
  const copy = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(copy)
    if (typeof node !== 'object' || node === null) return node
    const { $ref, ...rest } = node as Schema
    const known = Object.entries(rest).filter(([keyword]) => !isLeftOut(keyword))
    const copied = Object.fromEntries(known.map(([keyword, value]) => [keyword, copy(value)]))
    return typeof $ref === 'string' ? { ...referred($ref), ...copied } : copied
  }
  const referred = ($ref: string): Schema => {
    const name = $ref.split('/').at(-1)!
    const target = schemas[name]!
    if (!JSON.stringify(target).includes('"$ref"')) return copy(target) as Schema
    if (!(name in $defs)) {
      // It may refer to itself.
      $defs[name] = {}
      $defs[name] = copy(target) as Schema
    }
    return { $ref: `#/$defs/${name}` }
  }
  const whole = copy(schema) as Schema
  return Object.keys($defs).length === 0 ? whole : { ...whole, $defs }
}

const isLeftOut = (keyword: string): boolean =>
  keyword.startsWith('x-') || ['discriminator', 'format', 'examples'].includes(keyword)
