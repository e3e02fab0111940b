import type { Request } from 'express'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** In bytes: smaller bodies fit one packet anyway. */
const minCompressed = 1024

export function encodingFor(request: Request, body: Buffer): Encoding | undefined {
  if (body.length < minCompressed) return undefined
  const encoding = request.acceptsEncodings('br', 'gzip', 'identity')
  return encoding === 'br' || encoding === 'gzip' ? encoding : undefined
}

/** On the main thread: another one, and a higher quality, cost more than they save. */
export const encodeAnswer = (body: Buffer, encoding: Encoding): Buffer =>
  encoding === 'br' ? brotliCompressSync(body, brotliOf(1)) : gzipSync(body, { level: 1 })

/** For pages, which are compressed once and sent to many. */
export const encodeOnce = (body: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? brotli(body, brotliOf(5)) : gzipped(body)

const brotliOf = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
const brotli = promisify<Buffer, object, Buffer>(brotliCompress)
const gzipped = promisify<Buffer, Buffer>(gzip)
