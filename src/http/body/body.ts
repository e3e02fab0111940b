import type { Request, Response } from 'express'
import { InvalidRequest, ServiceError } from '../../errors.ts'
import { removeAbsentNulls } from './absent-nulls.ts'
import { type Excess, JsonScanner } from './json-scanner.ts'
import { checkMediaType } from './media-type.ts'
import type { BodyRules } from '../contract/operation-rules.ts'
import { findUnrepresentable, writeInfinite } from './unrepresentable.ts'
import { escapePointer } from '../contract/violations.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const surrogateEscape = /\\u[dD][89a-fA-F]/

/**
 * The body of a request as JSON, undefined when there is none.
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
  // Whether a chunked body is empty is only known once it is read.
  if (chunked === undefined || request.headers['content-type']) checkMediaType(request.headers)
  if (Number(length) > rules.maxBytes) throw tooLarge(rules)
  if (request.headers.expect) response.writeContinue()
  const scanner = rules.isIgnored ? undefined : new JsonScanner()
  const bytes = await readAll(request, rules, scanner, onBytes)
  if (bytes.length === 0) return undefined
  checkMediaType(request.headers)
  const changed = scanner?.changedNumbers ?? []
  writeInfinite(bytes, changed)
  const text = decode(bytes)
  const body = parse(text)
  if (scanner && (changed.length > 0 || surrogateEscape.test(text))) checkRepresentable(body)
  removeAbsentNulls(rules.schema, body)
  return body
}

/** Express's own reader tells nobody what has come, and refuses only once all has. */
function readAll(
  request: Request,
  rules: BodyRules,
  scanner: JsonScanner | undefined,
  onBytes: (bytes: number) => void,
): Promise<Buffer> {
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
    request.once('end', () => resolve(Buffer.concat(pieces)))
    request.once('error', () => reject(invalidBody('was cut short')))
  })
}

const invalidBody = (detail: string): InvalidRequest =>
  new InvalidRequest([{ pointer: '', detail }])

const tooLarge = ({ maxBytes }: BodyRules): ServiceError =>
  new ServiceError(
    'payload_too_large',
    `The body is larger than ${maxBytes} bytes, the most this operation takes.`,
  )

function tooMuch({ path, detail }: Excess, bytes: Buffer): InvalidRequest {
  const members = path.map((step) =>
    typeof step === 'number' ? String(step) : String(parse(decode(bytes.subarray(...step)))),
  )
  const pointer = members.map((member) => `/${escapePointer(member)}`).join('')
  return new InvalidRequest([{ pointer, detail }])
}

function checkRepresentable(body: unknown): void {
  const violations = typeof body === 'object' && body !== null ? findUnrepresentable(body) : []
  if (violations.length > 0) throw new InvalidRequest(violations)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidBody('is not JSON')
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalidBody('is not UTF-8')
  }
}
