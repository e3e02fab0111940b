import { createHash } from 'node:crypto'
import type { Datastore } from './datastores.ts'
import type { NewDocument } from './documents.ts'

/** What the ids of an upsert's documents start with: the same for the same key in a datastore. */
export function repeatableBatch({ workspace, id }: Datastore, idempotencyKey: string): string {
  return `src_${sha256([workspace, id, idempotencyKey]).slice(0, 24)}`
}

/** What tells an upsert's documents from others. */
export const digestOf = (documents: NewDocument[]): string =>
  sha256(documents.map(({ text, name = '', metadata = null }) => [text, name, metadata]))

const sha256 = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex')
