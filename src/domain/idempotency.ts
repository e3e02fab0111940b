import { createHash } from 'node:crypto'
import type { Datastore } from './datastores.ts'
import type { NewDocument } from './documents.ts'

/** What the ids of an upsert's documents start with: the same for the same key in a datastore. */
export function repeatableBatch({ workspace, id }: Datastore, idempotencyKey: string): string {
  return `src_${sha256([workspace, id, idempotencyKey]).slice(0, 24)}`
}

/** What tells an upsert's documents from others: their values, whatever the order of members. */
export const digestOf = (documents: NewDocument[]): string => sha256(partsOf(documents).map(sorted))

/** The same as it was once made, of the members as they came; a store may hold some. */
export const digestAsSent = (documents: NewDocument[]): string => sha256(partsOf(documents))

const partsOf = (documents: NewDocument[]): unknown[] =>
  documents.map(({ text, name = '', metadata = null }) => [text, name, metadata])

/** A copy with the members of all objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([member, child]) => [member, sorted(child)]))
}

const sha256 = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex')
