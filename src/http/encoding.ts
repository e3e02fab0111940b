import type { Request } from 'express'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** Under this a body fits the packet it comes in anyway. */
const threshold = 1024
const brotliQuality = 5

/** How a body is to be encoded for who asks; undefined for as it is. */
export function encodingFor(request: Request, body: Buffer): Encoding | undefined {
  if (body.length < threshold) return undefined
  const encoding = request.acceptsEncodings('br', 'gzip', 'identity')
  return encoding === 'br' || encoding === 'gzip' ? encoding : undefined
}

/** Compresses beside the event loop. */
export const encode = (body: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? brotli(body, { params }) : gzipped(body)

const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality }
const brotli = promisify<Buffer, object, Buffer>(brotliCompress)
const gzipped = promisify<Buffer, Buffer>(gzip)
