import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

const madeKey = /^ads_(?<id>[a-z0-9]+)_(?<secret>[0-9a-f]{40})(?<checksum>[0-9a-f]{8})$/

/** `ads_<public id>_<160 random bits><checksum>` */
export function makeKey(id: string): string {
  const secret = randomBytes(20).toString('hex')
  return `ads_${id}_${secret}${checksum(id, secret)}`
}

export const makeKeyId = (): string => randomBytes(8).toString('hex')

/** Servers that start together insert keys of this id. The store takes one. */
export const firstKeyId = 'initial'

/** Undefined for a mistyped key. A key of another form can only be INITIAL_KEY. */
export function keyIdOf(key: string): string | undefined {
  const parts = madeKey.exec(key)?.groups
  if (!parts) return firstKeyId
  const { id = '', secret = '' } = parts
  return parts.checksum === checksum(id, secret) ? id : undefined
}

export const hashOf = (key: string): string => digest(key).toString('hex')

export const isKeyOf = (stored: string, key: string): boolean =>
  timingSafeEqual(digest(key), Buffer.from(stored, 'hex'))

const checksum = (id: string, secret: string): string =>
  crc32(`${id}_${secret}`).toString(16).padStart(8, '0')

const digest = (key: string): Buffer => hash('sha256', key, 'buffer')
