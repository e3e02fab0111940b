import { type Document, type Media, operationsOf, resolved, type Schema } from './openapi.ts'

/**
 * Adds an example to each property without one: a value from the contract's examples of bodies, or else one that
 * its schema names.
 */
export function addPropertyExamples(document: Document): void {
  const best = new Map<Schema, unknown>()
  const take = (schema: Schema, value: unknown) => {
    if (isScalar(value) && worth(value) > worth(best.get(schema))) best.set(schema, value)
  }
  for (const { schema, examples = {} } of mediaOf(document)) {
    for (const example of Object.values(examples)) {
      visit(document, schema, resolved(document, example).value, take)
    }
  }
  for (const { properties = {} } of Object.values(document.components.schemas)) {
    for (const property of Object.values(properties)) {
      const { const: only, enum: values, default: usual } = resolved(document, property)
      const place = placeFor(document, property)
      if (!best.has(place)) take(place, only ?? values?.[0] ?? usual)
    }
  }
  for (const [schema, value] of best) schema.examples ??= [value]
}

function mediaOf(document: Document): Media[] {
  const operations = Object.values(document.paths).flatMap(operationsOf)
  return operations.flatMap(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((holder) =>
      Object.values((holder && resolved(document, holder).content) ?? {}),
    ),
  )
}

/** Shows `take` each property below a schema, where its example belongs, with the value that it has. */
function visit(
  document: Document,
  schema: Schema,
  value: unknown,
  take: (property: Schema, value: unknown) => void,
): void {
  const { items, properties = {}, ...composed } = resolved(document, schema)
  const members = new Map(isScalar(value) ? [] : Object.entries(value as object))
  for (const part of partsOf(composed, members)) visit(document, part, value, take)
  if (Array.isArray(value) && items) for (const item of value) visit(document, items, item, take)
  for (const [name, property] of Object.entries(properties)) {
    if (!members.has(name)) continue
    take(placeFor(document, property), members.get(name))
    visit(document, property, members.get(name), take)
  }
}

/** All of `allOf`; of `oneOf` the one that the discriminator chooses. */
function partsOf({ allOf = [], discriminator }: Schema, members: Map<string, unknown>): Schema[] {
  const tag = members.get(discriminator?.propertyName ?? '')
  const $ref = discriminator?.mapping[String(tag)]
  return $ref === undefined ? allOf : [...allOf, { $ref }]
}

/** A bare reference has the example of what it refers to, which others share. */
const placeFor = (document: Document, property: Schema): Schema =>
  '$ref' in property && Object.keys(property).length === 1 ? resolved(document, property) : property

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

/** Nothing, null, empty, or something to see. */
function worth(value: unknown): number {
  if (value === undefined) return 0
  if (value === null) return 1
  return value === '' ? 2 : 3
}
