import { document, type Json } from '../support/contract.ts'
import { metadataOf } from './metadata.ts'
import { type Draw, textOf } from './texts.ts'

export type Schema = { [keyword: string]: Json }

const wholes = new WeakMap<Schema, Schema>()

/** The schema with what its `$ref` and `allOf` say beside it, the same object each time. */
export function whole(schema: Schema): Schema {
  const known = wholes.get(schema)
  if (known) return known
  const { $ref, allOf, ...own } = schema
  const target =
    typeof $ref === 'string' ? [document.components.schemas[$ref.split('/').at(-1)!]] : []
  const parts = [...target, ...((allOf as Schema[] | undefined) ?? [])].map(whole)
  const made = Object.assign({}, ...parts, own) as Schema
  wholes.set(schema, made)
  return made
}

export const typesOf = ({ type }: Schema): string[] => [type].flat() as string[]

/** A value that the schema takes. Below `deepest` levels nothing is chosen that goes on. */
export function valueOf(schema: Schema, draw: Draw, level = 0): Json {
  const { random } = draw
  const one = whole(schema)
  if (one.const !== undefined) return one.const
  if (one.enum) return random.pick(one.enum as Json[])
  const options = (one.oneOf ?? one.anyOf) as Schema[] | undefined
  if (options) return valueOf(level > deepest ? options[0]! : random.pick(options), draw, level)
  const type = random.pick(typesOf(one))
  const make = makers[type]
  if (!make) throw new Error(`No value is made for ${JSON.stringify(one)}`)
  return make(one, draw, level)
}

const deepest = 5

const anyText = (_text: string): boolean => true

const makers: Record<string, (schema: Schema, draw: Draw, level: number) => Json> = {
  null: () => null,
  boolean: (_, { random }) => random.chance(0.5),
  integer: (schema, draw) => numberOf({ multipleOf: 1, ...schema }, draw),
  number: numberOf,
  string: (schema, draw) => stringOf(schema, draw),
  array: arrayOf,
  object: objectOf,
}

/** A text that the schema takes and that can be sent where it stands. */
export function stringOf(schema: Schema, draw: Draw, isSendable = anyText): string {
  const { contentSchema, maxLength } = whole(schema)
  if (!contentSchema) return textOf(whole(schema), draw, isSendable)
  const json = JSON.stringify(valueOf(contentSchema as Schema, draw, 3))
  return json.length <= Number(maxLength) ? json : stringOf(schema, draw, isSendable)
}

function numberOf(schema: Schema, { random }: Draw): number {
  const least = Number(schema.minimum ?? -1e6)
  const most = Number(schema.maximum ?? 1e6)
  const between = least + (most - least) * (random.below(1_000_001) / 1_000_000)
  const value = random.pick([least, most, between, between])
  return schema.multipleOf === undefined ? value : Math.round(value)
}

function arrayOf(schema: Schema, draw: Draw, level: number): Json[] {
  const {
    minItems = 0,
    maxItems = 4,
    items,
    uniqueItems,
    'x-unique-by': by,
  } = schema as Record<string, number> & Schema
  const length = Math.min(Number(maxItems), Math.max(Number(minItems), draw.random.below(4)))
  const values = Array.from({ length }, () => valueOf(items as Schema, draw, level + 1))
  if (!uniqueItems && by === undefined) return values
  const sameness = (value: Json) => JSON.stringify(by === undefined ? value : (value as never)[by])
  return [...new Map(values.map((value) => [sameness(value), value])).values()]
}

function objectOf(schema: Schema, draw: Draw, level: number): Json {
  const { properties = {}, required = [] } = schema
  const own = Object.entries(properties as Record<string, Schema>)
    .filter(([name]) => (required as string[]).includes(name) || draw.random.chance(0.3))
    .map(([name, child]): [string, Json] => [name, valueOf(child, draw, level + 1)])
  const more = schema.additionalProperties === false ? [] : metadataOf(draw)
  // A member of more must not take the place of one that the schema describes.
  const free = more.filter(([name]) => !Object.hasOwn(properties as object, name))
  return Object.fromEntries([...free, ...own])
}
