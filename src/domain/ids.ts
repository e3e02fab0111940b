import { createHash, hash, randomBytes } from 'node:crypto'
import { NotFound } from '../errors/errors.ts'
import { TimeSlice } from '../process/time-slice.ts'
import type { NewDocument } from './documents.ts'

export const newId = (kind: 'agt' | 'cnv' | 'dst' | 'msg' | 'src' | 'vst'): string =>
  `${kind}_${randomBytes(12).toString('hex')}`

/** @throws NotFound if nothing was found */
export function orNotFound<T>(
  found: T | undefined,
  ...named: ConstructorParameters<typeof NotFound>
): T {
  if (found === undefined) throw new NotFound(...named)
  return found
}

/** The id of a key's document. It is made from the key, so a datastore has one document per key. */
export const keyedId = (datastoreId: string, key: string): string => idOf([datastoreId, key], 32)

/** Ids of one upsert sort in the order sent. */
export const documentId = (batch: string, index: number): string =>
  batch + String(index).padStart(indexDigits, '0')

export const batchOf = (id: string): string => id.slice(0, -indexDigits)

/** Enough for `maxItems` of an upsert. */
const indexDigits = 3

/** The prefix of the ids of an upsert's documents. The same key in a datastore gives the same prefix. */
export const repeatableBatch = (
  { workspace, id }: { workspace: string; id: string },
  idempotencyKey: string,
): string => idOf([workspace, id, idempotencyKey], 24)

const idOf = (parts: string[], digits: number): string =>
  `src_${hash('sha256', JSON.stringify(parts)).slice(0, digits)}`

/** The SHA-256 of documents as JSON with sorted members, computed in slices, because they may have 16 MiB. */
export async function digestOf(documents: NewDocument[]): Promise<string> {
  const digest = createHash('sha256').update('[')
  const slice = new TimeSlice()
  for (const [index, { text, name = '', metadata = null }] of documents.entries()) {
    digest.update((index === 0 ? '' : ',') + JSON.stringify(sorted([text, name, metadata])))
    await slice.pause()
  }
  return digest.update(']').digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([member, child]) => [member, sorted(child)]))
}
