import { randomBytes } from 'node:crypto'

/** A new identifier: what it names, and 96 random bits. */
export const newId = (kind: 'agt' | 'dst' | 'src'): string =>
  `${kind}_${randomBytes(12).toString('hex')}`

/** The id of a document of an upsert; they sort in the order sent. */
export const documentId = (batch: string, index: number): string =>
  batch + String(index).padStart(indexDigits, '0')

/** What the ids of its upsert's documents start with. */
export const batchOf = (id: string): string => id.slice(0, -indexDigits)

/** Enough for the most documents an upsert takes. */
const indexDigits = 3
