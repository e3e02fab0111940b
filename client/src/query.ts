import type { Metadata, MetadataFilter } from '../../generated/types.gen.ts'

/** The parameters that the contract takes as JSON. */
type InJson = { metadata: Metadata; filter: MetadataFilter }

/** A query in which an object may stand for its JSON. */
export type QueryOf<Query> = {
  [Name in keyof Query]: Query[Name] | (Name extends keyof InJson ? InJson[Name] : never)
}

/** The query with its objects as JSON. */
export const queryOf = (query: object = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  )
