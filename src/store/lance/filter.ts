import { randomBytes } from 'node:crypto'

// LanceDB takes SQL text. Only this file writes it: every value is quoted, and no client names a column.

export type Filter = string & { readonly filter: true }

export const equal = (column: string, value: string | number): Filter =>
  filter(`${column} = ${literal(value)}`)

export const oneOf = (column: string, values: readonly string[]): Filter =>
  values.length === 0 ? nothing : filter(`${column} IN (${list(values)})`)

/** The rows whose two columns hold one of these pairs of values, of which the first has no blank. */
export const oneOfPairs = (
  [first, second]: [string, string],
  pairs: readonly (readonly [string, string])[],
): Filter =>
  pairs.length === 0
    ? nothing
    : filter(`${first} || ' ' || ${second} IN (${list(pairs.map((pair) => pair.join(' ')))})`)

/** True at `expected` rows. Ends the commit at others of `guarded`, by a division by zero, as SQL has no other error here. */
export const insist = (expected: Filter, guarded: Filter): Filter =>
  filter(`${asNumber(expected)} / ${asNumber(or(expected, not(guarded)))} = 1`)

const asNumber = (one: Filter): string => `CAST(${grouped(one)} AS INT)`

export const hasAny = (column: string, values: readonly string[]): Filter =>
  values.length === 0 ? nothing : filter(`array_has_any(${column}, ${array(values)})`)

export const above = (column: string, value: string): Filter =>
  filter(`${column} > ${quote(value)}`)

export const below = (column: string, value: string): Filter =>
  filter(`${column} < ${quote(value)}`)

export const startsWith = (column: string, prefix: string): Filter =>
  filter(`starts_with(${column}, ${quote(prefix)})`)

export const holds = (column: string, text: string): Filter =>
  filter(`contains(${column}, ${quote(text)})`)

/** The first of every eight rows of each file. */
export const oneInEight = filter('_rowid % 8 = 0')

export const isSet = (column: string): Filter => filter(`${column} IS NOT NULL`)

export const and = (...filters: Filter[]): Filter => filter(filters.map(grouped).join(' AND '))

export const or = (...filters: Filter[]): Filter => filter(filters.map(grouped).join(' OR '))

export const not = (one: Filter): Filter => filter(`NOT ${grouped(one)}`)

const grouped = (one: Filter): string => `(${one})`

/** The row that a page starts after, in the order of creation. */
export type PageCursor = { createdAt: string; id: string }

export const after = (idColumn: string, position: PageCursor): Filter => {
  const createdAt = quote(position.createdAt)
  return filter(
    `(created_at > ${createdAt} OR (created_at = ${createdAt} AND ${idColumn} > ${quote(position.id)}))`,
  )
}

/** As `after`, for the newest first. */
export const before = (idColumn: string, position: PageCursor): Filter => {
  const createdAt = quote(position.createdAt)
  return filter(
    `(created_at < ${createdAt} OR (created_at = ${createdAt} AND ${idColumn} < ${quote(position.id)}))`,
  )
}

const nothing = filter('false')

const list = (values: readonly string[]): string => values.map(quote).join(', ')

/** No value can hold it, because it is random and secret. Its first character occurs in it once. */
const separator = `\u001f${randomBytes(8).toString('hex')}`
const maxListed = 16

/** LanceDB takes long to read a list of many literals, and is quick to cut one of them. */
const array = (values: readonly string[]): string =>
  values.length <= maxListed
    ? `[${list(values)}]`
    : `string_to_array(${quote(values.join(separator))}, ${quote(separator)})`

const literal = (value: string | number): string =>
  typeof value === 'number' ? String(value) : quote(value)

/** LanceDB's SQL has no other escape inside quotes. */
const quote = (value: string): string => `'${value.replaceAll("'", "''")}'`

function filter(sql: string): Filter {
  return sql as Filter
}
