import type { Request, Response } from 'express'
import { ServiceError } from '../../errors.ts'
import type { BodyRules } from '../contract/operation-rules.ts'
import { readForm } from './form.ts'
import { invalidBody, readValue, tooMuch } from './json-body.ts'
import { joined } from './joined.ts'
import { JsonScanner } from './json-scanner.ts'
import { checkMediaType, checkUncompressed } from './media-type.ts'

/**
 * The body of a request as JSON, or the members of a form; undefined when there is none.
 * @param onBytes told the size of each piece as it comes; may throw
 * @throws ServiceError `unsupported_media_type` or `payload_too_large`; InvalidRequest
 */
export async function readBody(
  request: Request,
  response: Response,
  rules: BodyRules,
  onBytes: (bytes: number) => void,
): Promise<unknown> {
  const { 'transfer-encoding': chunked, 'content-length': length = '0' } = request.headers
  if (chunked === undefined && Number(length) === 0) return undefined
  const check = rules.isForm ? checkUncompressed : checkMediaType
  // Whether a chunked body is empty is only known once it is read.
  if (chunked === undefined || request.headers['content-type']) check(request.headers)
  if (Number(length) > rules.maxBytes) throw tooLarge(rules)
  if (request.headers.expect) response.writeContinue()
  const scanner = rules.isForm || rules.isIgnored ? undefined : new JsonScanner()
  const bytes = await joined(await readAll(request, rules, scanner, onBytes))
  if (bytes.length === 0) return undefined
  check(request.headers)
  return rules.isForm
    ? readForm(bytes, request.headers['content-type'], rules.schema)
    : readValue(bytes, scanner)
}

/** Express's own reader tells nobody what has come, and refuses only once all has. */
function readAll(
  request: Request,
  rules: BodyRules,
  scanner: JsonScanner | undefined,
  onBytes: (bytes: number) => void,
): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let bytes = 0
    const take = (piece: Buffer) => {
      bytes += piece.length
      try {
        if (bytes > rules.maxBytes) throw tooLarge(rules)
        onBytes(piece.length)
        pieces.push(piece)
        const excess = scanner?.scan(piece)
        if (excess) throw tooMuch(excess, Buffer.concat(pieces))
      } catch (error) {
        request.off('data', take)
        reject(error)
      }
    }
    if (request.destroyed) reject(invalidBody('was cut short'))
    request.on('data', take)
    request.once('end', () => resolve(pieces))
    request.on('error', () => reject(invalidBody('was cut short')))
  })
}

const tooLarge = ({ maxBytes }: BodyRules): ServiceError =>
  new ServiceError(
    'payload_too_large',
    `The body is larger than ${maxBytes} bytes, the most this operation takes.`,
  )
