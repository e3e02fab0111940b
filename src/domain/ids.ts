import { randomBytes } from 'node:crypto'

/** A new identifier: what it names, and 96 random bits. */
export const newId = (kind: 'agt' | 'dst' | 'src'): string =>
  `${kind}_${randomBytes(12).toString('hex')}`
