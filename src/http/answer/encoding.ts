import type { Request } from 'express'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** In bytes. Smaller bodies fit one packet anyway. */
const minCompressed = 1024

export function encodingFor(request: Request, body: Buffer): Encoding | undefined {
  if (body.length < minCompressed) return undefined
  const encoding = request.acceptsEncodings('br', 'gzip', 'identity')
  return encoding === 'br' || encoding === 'gzip' ? encoding : undefined
}

/** In bytes. Compressing a smaller body takes less time than handing it to another thread. */
const minElsewhere = 256 * 1024

/** A higher quality costs more than it saves. */
export function encodeAnswer(body: Buffer, encoding: Encoding): Buffer | Promise<Buffer> {
  const isLong = body.length >= minElsewhere
  if (encoding === 'br') {
    return isLong ? brotli(body, brotliOf(1)) : brotliCompressSync(body, brotliOf(1))
  }
  return isLong ? gzipped(body, { level: 1 }) : gzipSync(body, { level: 1 })
}

/** For pages, which are compressed once and sent many times. */
export const encodeOnce = (body: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? brotli(body, brotliOf(5)) : gzipped(body, {})

const brotliOf = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
const brotli = promisify<Buffer, object, Buffer>(brotliCompress)
const gzipped = promisify<Buffer, object, Buffer>(gzip)
