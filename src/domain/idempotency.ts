import { createHash } from 'node:crypto'
import { TimeSlice } from '../scheduling/time-slice.ts'
import type { Datastore } from './datastores.ts'
import type { NewDocument } from './documents.ts'

/** The prefix of the ids of an upsert's documents. The same key in a datastore gives the same prefix. */
export function repeatableBatch({ workspace, id }: Datastore, idempotencyKey: string): string {
  const place = JSON.stringify([workspace, id, idempotencyKey])
  return `src_${createHash('sha256').update(place).digest('hex').slice(0, 24)}`
}

/** The SHA-256 of documents as JSON with sorted members, computed in slices, because they may have 16 MiB. */
export async function digestOf(documents: NewDocument[]): Promise<string> {
  const hash = createHash('sha256').update('[')
  const slice = new TimeSlice()
  for (const [index, { text, name = '', metadata = null }] of documents.entries()) {
    hash.update((index === 0 ? '' : ',') + JSON.stringify(sorted([text, name, metadata])))
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
