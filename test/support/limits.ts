import { complaint, document, type Json, type Operation } from './contract.ts'
import { mediaOf, takesJson, withText } from './requests.ts'

type Members = { [member: string]: Json }
type Schema = Members

/** A request by its parts: parameters by name, and the body. */
export type Sent = { path: Members; query: Members; header: Members; body?: Json }

/** A limit of the contract: a request at its edge, one just past it, and the place it is about. */
export type Limit = {
  title: string
  place: string[]
  pointer: string
  /** The value there in the example that the requests are made from. */
  example: Json | undefined
  edge?: Sent
  past?: Sent
}

/** A schema, the place of a request it is for, and a valid request. */
type Site = { schema: Schema; place: string[]; sent: Sent }

/** Values at the edge and past it; `member` is the one the latter is about, of an object. */
type Pair = { edge?: Json; past?: Json; member?: string | string[]; says?: string }

/** A name the contract has nowhere, and that a pointer has to escape. */
const unknownMember = 'non/sense~'

/** Four bytes and two UTF-16 units: only who counts characters counts it as one. */
const astral = '😀'
const whiteSpace = ' \t\n\r\u00a0\u2003\u3000\ufeff'

/** Every limit that the contract sets to what an operation is sent. */
export const limitsOf = (operation: Operation): Limit[] =>
  sitesOf({ schema: requestSchema(operation), place: [], sent: exampleOf(operation) }).flatMap(
    (site) =>
      Object.keys(site.schema).flatMap((keyword) =>
        pairsOf(site, keyword).map((pair) => toLimit(site, keyword, pair)),
      ),
  )

/** Limits in rounds whose edges, or what is past them, may stand in one request: none in a place of another's. */
export function roundsOf(limits: Limit[], which: Which): Limit[][] {
  const rounds: Limit[][] = []
  for (const limit of limits) {
    const round = rounds.find((some) => mayJoin(some, limit, which))
    if (round) round.push(limit)
    else rounds.push([limit])
  }
  return rounds
}

type Which = 'edge' | 'past'

const mayJoin = (round: Limit[], { place }: Limit, which: Which): boolean =>
  round.every((one) => !startsWith(place, one.place) && !startsWith(one.place, place)) &&
  typeof at(round[0]![which]!, place.slice(0, -1)) === 'object'

const startsWith = (place: string[], start: string[]): boolean =>
  start.every((member, index) => member === place[index])

/** A request with all of these at their edges, or past them. */
export const together = ([one, ...others]: Limit[], which: Which): Sent =>
  others.reduce(
    (sent, { place, [which]: other }) => put(sent, place, at(other!, place)!),
    one![which]!,
  )

/** A text of a million characters takes a second to store. */
export const isLong = ({ edge, place }: Limit): boolean =>
  edge !== undefined && String(at(edge, place)).length > 1_000_000

export const takesLongText = (operation: Operation): boolean =>
  /"maxLength":\d{7}/.test(JSON.stringify(requestSchema(operation)))

/** A request where everything is wrong that the contract describes, and the pointers to all of it. */
export function allWrong(operation: Operation, fault: Fault) {
  const sent = exampleOf(operation)
  const { value, places } = wrong({ schema: requestSchema(operation), place: [], sent }, fault)
  return { sent: { ...sent, ...(value as Partial<Sent>) }, pointers: places.map(toPointer) }
}

/** The longest of its examples, because that has the most members. */
export function exampleOf(operation: Operation): Sent {
  const { parameters } = operation
  const path = parameters.filter((parameter) => parameter.in === 'path')
  const examples = Object.values(mediaOf(operation)?.examples ?? {})
  const [body] = examples
    .map(({ value }) => value)
    .toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)
  return {
    path: Object.fromEntries(
      path.map(({ name, schema }) => [
        name,
        (inlined(schema) as { examples: Json[] }).examples[0]!,
      ]),
    ),
    query: Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === 'query' && parameter.required)
        .map(({ name, schema }) => [name, (inlined(schema) as { examples: Json[] }).examples[0]!]),
    ),
    header: {},
    ...(body !== undefined && { body: withText(operation, body) }),
  }
}

/** What the contract says of a request's parts, as one schema without references. */
export function requestSchema(operation: Operation): Schema {
  const { parameters, security } = operation
  const of = (part: string) =>
    Object.fromEntries(
      parameters
        // Beside the longest of the others a request would be too large.
        .filter(
          ({ name, in: place, required }) => place === part && (name !== 'filter' || required),
        )
        .map(({ name, schema }) => [name, inlined(schema)]),
    )
  const schema = mediaOf(operation)?.schema as Schema | undefined
  const body = schema && bodySchema(operation, inlined(schema) as Schema)
  return {
    properties: {
      path: { properties: of('path') },
      // Who needs no key has no query looked at.
      query: { properties: of('query'), additionalProperties: security.length === 0 },
      header: { properties: of('header') },
      ...(body && { body }),
    },
  }
}

/** A file may be anything. */
function bodySchema(operation: Operation, schema: Schema): Schema | undefined {
  if (takesJson(operation)) return schema
  return schema.format === 'binary' ? undefined : asForm(schema)
}

/** Any part of a form is a text, but for files and for what is JSON. */
function asForm(schema: Schema): Schema {
  const anything = ['string', 'number', 'object']
  const parts = propertiesOf(schema).map(([member, child]): [string, Json] => {
    const part = child as Schema
    if (part.format === 'binary') return [member, { type: 'string' }]
    return [member, part.type === 'string' ? { ...part, type: anything } : part]
  })
  const form: Schema = { ...schema, properties: Object.fromEntries(parts) }
  delete form.type
  return form
}

function inlined(node: Json): Json {
  if (Array.isArray(node)) return node.map(inlined)
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...rest } = node
  // A filter holds filters; test/api/metadata-filters.test.ts has its limits.
  if ($ref === '#/components/schemas/MetadataFilter') return {}
  const name = typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : undefined
  const target = name === undefined ? {} : inlined(document.components.schemas[name])
  const own = Object.entries(rest).map(([keyword, child]) => [keyword, inlined(child)])
  return merged({ ...(target as Schema), ...Object.fromEntries(own) })
}

/** Alternatives that differ by their type alone, as one schema of all these types. */
function merged({ anyOf, ...schema }: Schema): Schema {
  if (anyOf === undefined) return schema
  const types = (anyOf as Schema[]).map(({ type }) => type!)
  return Object.assign(schema, ...(anyOf as Schema[]), { type: types })
}

const propertiesOf = ({ properties = {} }: Schema) => Object.entries(properties as Members)

/** A site and all that lie in it; what an example leaves out is put into the request on the way. */
function sitesOf(site: Site): Site[] {
  const { schema, place, sent } = site
  const members = propertiesOf(schema).flatMap(([member, child]) =>
    sitesOf({ schema: child as Schema, place: [...place, member], sent }),
  )
  if (!schema.items) return [site, ...members]
  // An item that changes must not become equal to another.
  const isEnough = listAt(sent, place).length > 0 && !schema.uniqueItems
  const filled = isEnough ? sent : put(sent, place, listOf(site, 1))
  const index = String(listAt(filled, place).length - 1)
  const item = { schema: schema.items as Schema, place: [...place, index], sent: filled }
  return [site, ...sitesOf(item)]
}

function toLimit(site: Site, keyword: string, { edge, past, member, says }: Pair): Limit {
  const { schema, place, sent } = site
  const of = member === undefined ? place : [...place, ...[member].flat()]
  const pointer = toPointer(of)
  return {
    title: `${pointer || 'the body'}: ${keyword} ${says ?? JSON.stringify(schema[keyword])}`,
    place,
    pointer,
    example: at(sent, place),
    ...(edge !== undefined && { edge: put(sent, place, edge) }),
    ...(past !== undefined && { past: put(sent, place, past) }),
  }
}

/** As the contract's `Violation` describes it. */
function toPointer([part = '', ...members]: string[]): string {
  const start = part === 'body' ? [] : [part]
  const names = part === 'header' ? members.map((name) => name.toLowerCase()) : members
  return [...start, ...names]
    .map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}

const annotations = new Set([
  'description',
  'default',
  'deprecated',
  'x-deprecated-since',
  'examples',
  'properties',
  'items',
  'x-pattern-detail',
  'allOf',
  'x-filter-limits',
  'contentSchema',
])

/** @throws at a keyword it knows nothing of, so that none goes untested */
function pairsOf(site: Site, keyword: string): Pair[] {
  if (annotations.has(keyword)) return []
  const rule = rules[keyword]
  if (!rule) throw new Error(`${keyword} at ${toPointer(site.place)}: no way to test it`)
  return rule(site)
}

const rules: Record<string, (site: Site) => Pair[]> = {
  type: (site) => [{ past: ofAnotherType(site) }],
  format: ({ schema }) => {
    if (schema.format === 'visible') return [{ edge: '\u{1f600}', past: '\u{e0041}' }]
    if (schema.format !== 'date-time') throw new Error(`No way to test ${schema.format}`)
    return [{ edge: '2096-02-29T23:59:59Z', past: '2097-02-29T23:59:59Z' }]
  },
  enum: ({ schema }) =>
    (schema.enum as Json[]).map((edge) => ({ edge, past: `${edge}x`, says: `${edge}` })),

  maxLength: (site) => {
    const { maxLength, ...rest } = site.schema
    const most = Number(maxLength)
    return [{ edge: text(site, rest, most), past: text(site, rest, most + 1) }]
  },
  minLength: (site) => {
    const { minLength, pattern: _, format: __, ...rest } = site.schema
    const least = Number(minLength)
    const edge = text(site, site.schema, least)
    // An empty segment makes it another path.
    return [site.place[0] === 'path' ? { edge } : { edge, past: text(site, rest, least - 1) }]
  },
  pattern: (site) => [...patternPairs(site), ...lengthPairs(site)],

  minimum: ({ schema }) => {
    const edge = Number(schema.minimum)
    return [{ edge, past: edge - unitOf(schema, edge) }]
  },
  maximum: ({ schema }) => {
    const edge = Number(schema.maximum)
    return [{ edge, past: edge + unitOf(schema, edge) }]
  },
  multipleOf: ({ schema }) => {
    const unit = Number(schema.multipleOf)
    const edge = Math.ceil(Number(schema.minimum ?? 0) / unit) * unit
    return [{ edge, past: edge + step(edge) }]
  },

  maxItems: (site) => {
    const most = Number(site.schema.maxItems)
    return [{ edge: listOf(site, most), past: listOf(site, most + 1) }]
  },
  minItems: (site) => {
    const least = Number(site.schema.minItems)
    return [{ edge: listOf(site, least), past: listOf(site, least - 1) }]
  },
  'x-unique-by': (site) => {
    const edge = listOf(site, 2) as Members[]
    const by = String(site.schema['x-unique-by'])
    const past = [edge[0]!, { ...edge[1]!, [by]: edge[0]![by]! }]
    return [{ edge, past, member: ['1', by] }]
  },
  uniqueItems: (site) => {
    const edge = listOf(site, 2)
    return [{ edge, past: [...edge, ...edge.slice(0, 1)] }]
  },

  required: ({ schema, place, sent }) => {
    const required = schema.required as string[]
    const members = Object.entries(at(sent, place) as Members)
    const edge = Object.fromEntries(members.filter(([name]) => required.includes(name)))
    return required.map((member) => {
      const past = Object.fromEntries(members.filter(([name]) => name !== member))
      return { edge, past, member }
    })
  },
  additionalProperties: ({ schema, place, sent }) => {
    const known = (at(sent, place) ?? {}) as Members
    const more = { ...known, [unknownMember]: 1 }
    return [
      schema.additionalProperties === false
        ? { edge: known, past: more, member: unknownMember }
        : { edge: more },
    ]
  },
  'x-json-limits': ({ schema }) =>
    Object.entries(schema['x-json-limits'] as Record<string, number>).map(([limit, number]) => {
      const make = { maxBytes: ofBytes, maxDepth: ofLevels }[limit]
      if (!make) throw new Error(`No way to test ${limit}`)
      return { edge: make(number), past: make(number + 1), says: `${limit} ${number}` }
    }),
}

/** A text of that many characters that the schema takes. */
function text(site: Site, schema: Schema, length: number): string {
  const filled = (start: string, end: string, piece = 'x') =>
    start + piece.repeat(Math.max(0, length - start.length - end.length)) + end
  // Each is made only if those before it do not fit, because some have a million characters.
  const texts = [
    ...(schema.contentSchema ? [() => filled('{"type":"eq","key":"a","value":"', '"}')] : []),
    () => astral.repeat(length),
    () => filled('', ''),
    () => filled('"', '"'),
    () => filled('2099-12-31T23:59:59.', 'Z', '0'),
  ]
  return first(site, texts, (some) => charactersIn(some) === length && fits(schema, some))
}

/** Its code points, counted without a list of them: some texts have five million. */
function charactersIn(whole: string): number {
  let count = 0
  for (let place = 0; place < whole.length; place += whole.codePointAt(place)! > 0xffff ? 2 : 1) {
    count++
  }
  return count
}

function patternPairs(site: Site): Pair[] {
  const { type = 'string', pattern = '' } = site.schema
  const firstOf = (texts: string[], does: (text: string) => boolean) =>
    first(
      site,
      texts.map((some) => () => some),
      does,
    )
  const edge = firstOf([`${whiteSpace}x${whiteSpace}`, 'x', '"x"'], (some) =>
    fits(site.schema, some),
  )
  const past = firstOf(['x x', whiteSpace, ' '], (some) => !fits({ type, pattern }, some))
  return [{ edge, past }]
}

/** The lengths that a pattern sets, found by trying; longer ones are the matter of `maxLength`. */
function lengthPairs({ schema }: Site): Pair[] {
  const { type = 'string', pattern = '' } = schema
  const alone = { type, pattern }
  const texts = Array.from({ length: 257 }).map((_, length) => 'x'.repeat(length))
  return texts.flatMap((shorter) => {
    const longer = `${shorter}x`
    if (fits(alone, shorter) === fits(alone, longer)) return []
    const [edge, past] = fits(alone, shorter) ? [shorter, longer] : [longer, shorter]
    return [{ edge, past, says: `of ${edge.length} characters, not ${past.length}` }]
  })
}

const fits = (schema: Schema, value: Json): boolean => complaint(schema, value) === undefined

/** The first that fits. A header holds visible ASCII and spaces alone. */
function first({ place }: Site, texts: (() => string)[], does: (text: string) => boolean): string {
  for (const make of texts) {
    const some = make()
    if ((place[0] !== 'header' || /^[ -~]*$/.test(some)) && does(some)) return some
  }
  throw new Error(`${toPointer(place)}: no text to test it with`)
}

/** In a path, a query or a header everything is a string. */
function ofAnotherType({ schema, place }: Site): Json | undefined {
  const types = new Set([schema.type].flat())
  if (place[0] === 'body') {
    const others: [string, Json][] = [
      ['string', 'x'],
      ['number', 1],
      ['object', {}],
    ]
    return others.find(([type]) => !types.has(type))?.[1]
  }
  return types.has('integer') ? 1.5 : undefined
}

/** As many valid items, no two of them equal where they can differ. */
function listOf({ schema, place, sent }: Site, count: number): Json[] {
  const items = schema.items as Schema
  const options = items.enum as Json[] | undefined
  const example = listAt(sent, place).at(-1)
  const item = (index: number): Json => {
    if (options) return options[index % options.length]!
    if ([items.type].flat().includes('string')) return `x${index}`
    if (example === undefined) throw new Error(`${toPointer(place)}: no example of an item`)
    const by = schema['x-unique-by']
    return by === undefined ? example : { ...(example as Members), [String(by)]: `x${index}` }
  }
  return Array.from({ length: count }, (_, index) => item(index))
}

/** An object of that many bytes as JSON, and of fewer characters. */
function ofBytes(bytes: number): Json {
  const rest = bytes - Buffer.byteLength(JSON.stringify({ x: '' }))
  return { x: astral.repeat(Math.floor(rest / 4)) + 'x'.repeat(rest % 4) }
}

/** An object of that many levels, every second one of them a list. */
function ofLevels(levels: number): Json {
  const deeper = Array.from({ length: levels }, (_, index) => levels - index)
  return deeper.reduce<Json>((value, level) => (level % 2 === 1 ? { x: value } : [value]), 1)
}

/** How far the next number is that breaks no other limit. */
const unitOf = ({ type, multipleOf }: Schema, number: number): number =>
  Number(multipleOf ?? (type === 'integer' ? 1 : step(number)))

/** About the distance to the next double. */
const step = (number: number): number =>
  Math.max(Math.abs(number) * Number.EPSILON, Number.MIN_VALUE)

/** What is wrong with a value. */
export type Fault = 'past a limit' | 'of another type'

type Wrong = { value: Json; places: string[][] }

/** A value with a fault at every place below this one. */
function wrong(site: Site, fault: Fault): Wrong {
  const { schema, place } = site
  const below = (member: string, child: Json): [string, Wrong] => [
    member,
    wrong({ ...site, schema: child as Schema, place: [...place, member] }, fault),
  ]
  if (schema.items) {
    // Two equal ones would be a fault of the list.
    const indexes = schema.uniqueItems ? ['0'] : ['0', '1']
    const items = indexes.map((index) => below(index, schema.items!)[1])
    return { value: items.map(({ value }) => value), places: items.flatMap(({ places }) => places) }
  }
  if (!schema.properties) return { value: wrongValue(site, fault), places: [place] }
  const members = propertiesOf(schema).map(([member, child]) => below(member, child))
  if (schema.additionalProperties === false) {
    members.push([unknownMember, { value: 1, places: [[...place, unknownMember]] }])
  }
  return {
    value: Object.fromEntries(members.map(([member, { value }]) => [member, value])),
    places: members.flatMap(([, { places }]) => places),
  }
}

function wrongValue(site: Site, fault: Fault): Json {
  const otherType = ofAnotherType(site)
  if (fault === 'of another type' && otherType !== undefined) return otherType
  const limits = Object.keys(site.schema).filter((keyword) => keyword !== 'type')
  const pairs = limits.flatMap((keyword) => pairsOf(site, keyword))
  const past = pairs.find((pair) => pair.past !== undefined)?.past ?? otherType
  if (past === undefined) throw new Error(`${toPointer(site.place)}: nothing is wrong there`)
  return past
}

function at(sent: Sent, place: string[]): Json | undefined {
  return place.reduce<Json | undefined>(
    (node, member) => (node as Members | undefined)?.[member],
    sent as Members,
  )
}

function listAt(sent: Sent, place: string[]): Json[] {
  const value = at(sent, place)
  return Array.isArray(value) ? value : []
}

/** A copy with that value at that place. */
function put(sent: Sent, place: string[], value: Json): Sent {
  const copy = structuredClone(sent)
  const parent = place
    .slice(0, -1)
    .reduce<Members>((node, member) => (node[member] ??= {}) as Members, copy as Members)
  parent[place.at(-1)!] = value
  return copy
}
