import { parse } from 'content-type'
import type { Request, Response } from 'express'
import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError, UnsupportedEncoding } from '../../errors/errors.ts'
import type { UploadedFile } from '../../files/uploaded-file.ts'
import type { BodyRules } from './body-rules.ts'
import { readForm } from './form.ts'
import { invalidBody, readValue, tooMuch } from './json-body.ts'
import { concatenated } from '../../process/time-slice.ts'
import { JsonScanner } from './json-scanner.ts'

/**
 * The body of a request as JSON, the members of a form, or a file; undefined if there is none.
 * @param onBytes gets the size of each arriving piece; may throw
 * @throws ServiceError `unsupported_media_type` or `payload_too_large`; InvalidRequest
 */
export async function readBody(
  request: Request,
  response: Response,
  rules: BodyRules,
  onBytes: (bytes: number) => void,
  onEnd = () => {},
): Promise<unknown> {
  const { 'transfer-encoding': chunked, 'content-length': length = '0' } = request.headers
  if (chunked === undefined && Number(length) === 0) return undefined
  const check = checks[rules.kind]
  // Only reading shows whether a chunked body is empty.
  if (chunked === undefined || request.headers['content-type']) check(request.headers)
  if (Number(length) > rules.maxBytes) throw tooLarge(rules)
  if (request.headers.expect) response.writeContinue()
  const scanner = rules.kind === 'json' && !rules.isIgnored ? new JsonScanner() : undefined
  const pieces = await readAll(request, rules, scanner, onBytes)
  onEnd()
  const bytes = await concatenated(pieces)
  if (bytes.length === 0) return undefined
  check(request.headers)
  const { 'content-type': mediaType = '' } = request.headers
  if (rules.kind === 'file') return { name: '', mediaType, bytes } satisfies UploadedFile
  return rules.kind === 'form'
    ? readForm(bytes, mediaType, rules.schema)
    : readValue(bytes, scanner)
}

const checks = { json: checkMediaType, form: checkForm, file: checkFile }

const utf8Names = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

function checkMediaType(headers: IncomingHttpHeaders): void {
  const { type, parameters } = parse(headers['content-type'] ?? '')
  if (type !== 'application/json') {
    throw unsupported('Send the body as Content-Type: application/json.')
  }
  if (parameters.charset && !utf8Names.has(parameters.charset.toLowerCase())) {
    throw unsupported('Send the body in UTF-8, with no other charset in Content-Type.')
  }
  checkUncompressed(headers)
}

function checkForm(headers: IncomingHttpHeaders): void {
  if (!typeOf(headers).startsWith('multipart/')) {
    throw unsupported('Send the file as multipart/form-data, or PUT it under a key as it is.')
  }
  checkUncompressed(headers)
}

/** Clients that send a file as text by mistake declare a text type. */
function checkFile(headers: IncomingHttpHeaders): void {
  if (!['', 'application/octet-stream'].includes(typeOf(headers))) {
    throw unsupported('Send the file itself as Content-Type: application/octet-stream.')
  }
  checkUncompressed(headers)
}

const typeOf = ({ 'content-type': type = '' }: IncomingHttpHeaders): string => parse(type).type

function checkUncompressed({ 'content-encoding': encoding }: IncomingHttpHeaders): void {
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw new UnsupportedEncoding()
  }
}

const unsupported = (detail: string): ServiceError =>
  new ServiceError('unsupported_media_type', detail)

/** Express's own reader reports no progress, and refuses a body only once all of it has arrived. */
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
    `The body is larger than ${sizeInWords(maxBytes)}, the most this operation takes.`,
  )

const sizeInWords = (bytes: number): string =>
  bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : `${bytes} bytes`
