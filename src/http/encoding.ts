import type { Request } from 'express'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** In bytes: smaller bodies fit one packet anyway. */
const minCompressed = 1024
const brotliQuality = 5

export function encodingFor(request: Request, body: Buffer): Encoding | undefined {
  if (body.length < minCompressed) return undefined
  const encoding = request.acceptsEncodings('br', 'gzip', 'identity')
  return encoding === 'br' || encoding === 'gzip' ? encoding : undefined
}

export const encode = (body: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? brotli(body, { params }) : gzipped(body)

const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality }
const brotli = promisify<Buffer, object, Buffer>(brotliCompress)
const gzipped = promisify<Buffer, Buffer>(gzip)
