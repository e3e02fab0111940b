import { complaint, type Json } from '../support/contract.ts'
import type { Random } from '../support/random.ts'
import { type Schema, typesOf, whole } from './values.ts'

/** A value with one fault, and what the fault is. */
export type Broken = { value: Json; fault: string }

/** A place in a value, and the schema for it. */
type Site = { schema: Schema; value: Json; place: (string | number)[] }

/** The value with one rule of its schema broken; undefined where none was found to break. */
export function broken(schema: Schema, value: Json, random: Random): Broken | undefined {
  const sites = sitesOf({ schema, value, place: [] })
  for (let tries = 0; tries < 10; tries++) {
    const site = random.pick(sites)
    const keywords = Object.keys(breakers).filter((keyword) => keyword in site.schema)
    const keyword = random.pick(['null', ...keywords])
    const bad = keyword === 'null' ? null : breakers[keyword]!(site, random)
    if (bad === undefined) continue
    const changed = put(value, site.place, bad)
    if (complaint(schema, changed) === undefined) continue
    return { value: changed, fault: `${keyword} of /${site.place.map(asName).join('/')}` }
  }
  return undefined
}

/** Items are all alike, so that the same fault has the same words. */
const asName = (step: string | number): string => (typeof step === 'number' ? '#' : step)

function sitesOf({ schema, value, place }: Site): Site[] {
  const one = chosen(schema, value)
  const children: Site[] = Array.isArray(value)
    ? value.flatMap((item, index) =>
        child(one.items as Schema | undefined, item, [...place, index]),
      )
    : membersOf(value).flatMap(([name, member]) =>
        child((one.properties as Record<string, Schema> | undefined)?.[name], member, [
          ...place,
          name,
        ]),
      )
  return [{ schema: one, value, place }, ...children.flatMap(sitesOf)]
}

const child = (schema: Schema | undefined, value: Json, place: Site['place']): Site[] =>
  schema ? [{ schema, value, place }] : []

const membersOf = (value: Json): [string, Json][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []

/** Of several schemas the one that the value is of. */
function chosen(schema: Schema, value: Json): Schema {
  const one = whole(schema)
  const options = (one.oneOf ?? one.anyOf) as Schema[] | undefined
  const option = options?.find((some) => complaint(some, value) === undefined)
  return option ? chosen(option, value) : one
}

const others: [string, Json][] = [
  ['string', 'x'],
  ['number', 1],
  ['boolean', true],
  ['array', []],
  ['object', {}],
]

/** Longer ones are the matter of the tests of limits. */
const longest = 40_000

const breakers: Record<string, (site: Site, random: Random) => Json | undefined> = {
  type: ({ schema }, random) => {
    const free = others.filter(([type]) => !typesOf(schema).includes(type))
    return random.pick(free)?.[1]
  },
  enum: () => 'nonsense',
  const: () => 'nonsense',
  maxLength: ({ schema }) =>
    Number(schema.maxLength) < longest ? 'x'.repeat(Number(schema.maxLength) + 1) : undefined,
  minLength: () => '',
  pattern: (_, random) => random.pick([' ', '\t', '\u200b', '~', 'A_é', '/~2']),
  format: (_, random) => random.pick(['2099-02-30T00:00:00Z', 'tomorrow', '2099-01-01', '']),
  minimum: ({ schema }) => Number(schema.minimum) - 1,
  maximum: ({ schema }) => Number(schema.maximum) + 1,
  multipleOf: ({ value }) => (typeof value === 'number' ? value + 0.5 : undefined),
  minItems: () => [],
  maxItems: ({ schema, value }) => repeated(value, Number(schema.maxItems) + 1),
  uniqueItems: ({ value }) => repeated(value, 2),
  'x-unique-by': ({ value }) => repeated(value, 2),
  required: ({ schema, value }, random) => {
    const name = random.pick(schema.required as string[])
    return Object.fromEntries(membersOf(value).filter(([member]) => member !== name))
  },
  additionalProperties: ({ value }, random) => {
    const name = random.pick(['nonsense', 'ID', 'Query', '__proto__', 'constructor', ''])
    return Object.fromEntries([...membersOf(value), [name, 1]])
  },
}

const repeated = (value: Json, count: number): Json | undefined =>
  Array.isArray(value) && value.length > 0
    ? Array.from({ length: count }, (_, index) => value[index % value.length]!)
    : undefined

/** A copy with that value at that place. */
function put(value: Json, [step, ...rest]: Site['place'], bad: Json): Json {
  if (step === undefined) return bad
  if (Array.isArray(value))
    return value.map((item, at) => (at === step ? put(item, rest, bad) : item))
  const members = membersOf(value)
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === step ? put(member, rest, bad) : member]),
  )
}
