import type { Request, Response } from 'express'
import { InvalidRequest, ServiceError } from '../errors.ts'
import { unkeepable } from './unkeepable.ts'

/** The most the server holds of one request. */
export const maxBytes = 16 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The body of a request as JSON, undefined when there is none.
 * @param take told how many bytes came as they come; what it throws, this throws
 * @throws ServiceError `unsupported_media_type` or `payload_too_large`; InvalidRequest when it is
 * not JSON in UTF-8 or holds what JSON cannot keep
 */
export async function readBody(
  request: Request,
  response: Response,
  take: (bytes: number) => void,
): Promise<unknown> {
  const { 'transfer-encoding': chunked, 'content-length': length = '0' } = request.headers
  if (chunked === undefined && Number(length) === 0) return undefined
  // Whether a chunked body is empty is only known once it is read.
  if (chunked === undefined || request.headers['content-type']) checkMediaType(request)
  if (Number(length) > maxBytes) throw tooLarge()
  if (request.headers.expect) response.writeContinue()
  const bytes = await readAll(request, take)
  if (bytes.length === 0) return undefined
  checkMediaType(request)
  const body = parse(decode(bytes))
  const violations = typeof body === 'object' && body !== null ? unkeepable(body) : []
  if (violations.length > 0) throw new InvalidRequest(violations)
  return body
}

const jsonInUtf8 = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i

function checkMediaType({ headers }: Request): void {
  if (!jsonInUtf8.test(headers['content-type'] ?? '')) {
    throw unsupported('Send the body as Content-Type: application/json.')
  }
  if (headers['content-encoding'] && headers['content-encoding'].toLowerCase() !== 'identity') {
    throw unsupported('Send the body without Content-Encoding.')
  }
}

const unsupported = (detail: string): ServiceError =>
  new ServiceError('unsupported_media_type', detail)

const invalidBody = (detail: string): InvalidRequest =>
  new InvalidRequest([{ pointer: '', detail }])

const cutShort = (): InvalidRequest => invalidBody('was cut short')

const tooLarge = (): ServiceError =>
  new ServiceError('payload_too_large', `The body is larger than ${maxBytes} bytes.`)

/**
 * Express's own reader tells nobody what has come. Of what is refused on its way the rest is thrown away as
 * it comes, for its sender may read only then.
 */
function readAll(request: Request, take: (bytes: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let bytes = 0
    const add = (piece: Buffer) => {
      bytes += piece.length
      try {
        if (bytes > maxBytes) throw tooLarge()
        take(piece.length)
        pieces.push(piece)
      } catch (error) {
        request.off('data', add)
        reject(error)
      }
    }
    if (request.destroyed) reject(cutShort())
    request.on('data', add)
    request.once('end', () => resolve(Buffer.concat(pieces)))
    request.once('error', () => reject(cutShort()))
  })
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalidBody('is not UTF-8')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidBody('is not JSON')
  }
}
