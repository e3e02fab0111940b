import { randomBytes } from 'node:crypto'

export const newId = (kind: 'agt' | 'cnv' | 'dst' | 'msg' | 'src' | 'vst'): string =>
  `${kind}_${randomBytes(12).toString('hex')}`

/** Ids of one upsert sort in the order sent. */
export const documentId = (batch: string, index: number): string =>
  batch + String(index).padStart(indexDigits, '0')

export const batchOf = (id: string): string => id.slice(0, -indexDigits)

/** Enough for `maxItems` of an upsert. */
const indexDigits = 3
