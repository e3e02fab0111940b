import { createHash } from 'node:crypto'
import { TimeSlice } from '../scheduling/time-slice.ts'
import type { Datastore } from './datastores.ts'
import type { NewDocument } from './documents.ts'

/** The prefix of the ids of an upsert's documents. The same key in a datastore gives the same prefix. */
export function repeatableBatch({ workspace, id }: Datastore, idempotencyKey: string): string {
  const place = JSON.stringify([workspace, id, idempotencyKey])
  return `src_${createHash('sha256').update(place).digest('hex').slice(0, 24)}`
}

export const digestOf = (documents: NewDocument[]): Promise<string> => digest(documents, sorted)

/** Depends on the order of members. Stores of older versions hold such digests. */
export const digestAsSent = (documents: NewDocument[]): Promise<string> =>
  digest(documents, (parts) => parts)

/** SHA-256 of one JSON array, computed in slices, because it may have 16 MiB. */
async function digest(
  documents: NewDocument[],
  normalize: (parts: unknown[]) => unknown,
): Promise<string> {
  const hash = createHash('sha256').update('[')
  const slice = new TimeSlice()
  for (const [index, { text, name = '', metadata = null }] of documents.entries()) {
    hash.update((index === 0 ? '' : ',') + JSON.stringify(normalize([text, name, metadata])))
    await slice.pause()
  }
  return hash.update(']').digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([member, child]) => [member, sorted(child)]))
}
