import { createHash, randomBytes } from 'node:crypto'

export const newId = (kind: 'agt' | 'cnv' | 'dst' | 'msg' | 'src' | 'vst'): string =>
  `${kind}_${randomBytes(12).toString('hex')}`

/** The id of the document of a key. Every writer makes the same, so a datastore has one document per key. */
export function keyedId(datastoreId: string, key: string): string {
  const place = JSON.stringify([datastoreId, key])
  return `src_${createHash('sha256').update(place).digest('hex').slice(0, 32)}`
}

/** Ids of one upsert sort in the order sent. */
export const documentId = (batch: string, index: number): string =>
  batch + String(index).padStart(indexDigits, '0')

export const batchOf = (id: string): string => id.slice(0, -indexDigits)

/** Enough for `maxItems` of an upsert. */
const indexDigits = 3
