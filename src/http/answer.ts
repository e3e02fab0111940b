import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { Request, Response } from 'express'
import { contractVersion } from '../../generated/version.gen.ts'
import type { Answer } from '../handlers/handler.ts'
import { concatenated, TimeSlice } from '../process/time-slice.ts'

export const newRequestId = (): string => `req_${randomBytes(8).toString('hex')}`

export const commonHeaders = (requestId: string) => ({
  'X-Request-Id': requestId,
  'Contract-Version': contractVersion,
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
})

/** Answers with a JSON body. Express's own `json` would turn some answers into a 304. */
export function sendJson(
  response: Response,
  status: number,
  body: unknown,
  mediaType = 'application/json',
): void {
  response.status(status).set('Content-Type', `${mediaType}; charset=utf-8`)
  const text = JSON.stringify(body)
  if (!response.req.complete) closeAfterBody(response, text)
  response.end(text)
}

/** Lets the rest of the body arrive. A client that still sends it would get a reset instead of the answer. */
function closeAfterBody(response: Response, text: string): void {
  const { req: request, shouldKeepAlive } = response
  if (shouldKeepAlive || request.headers.expect) return
  response.shouldKeepAlive = true
  // Node would write `keep-alive`, or close at once with `close`.
  response.removeHeader('Connection')
  // Without a length, an answer by HTTP/1.0 ends with the connection.
  response.set('Content-Length', String(Buffer.byteLength(text)))
  request.once('end', () => request.socket.destroySoon())
}

export async function sendAnswer(
  request: Request,
  response: Response,
  { status, body, headers: { Location, ...headers } }: Answer,
): Promise<void> {
  response.status(status).set(headers)
  // The client uses the same proxy again.
  if (Location !== undefined) response.set('Location', prefixOf(request.headers) + Location)
  // A strong tag names the plain bytes. The compressed size would reveal a new key.
  if (status === 200 && !headers.ETag) await sendCompressed(request, response, body)
  else if (headers.ETag && isNotModified(request, headers.ETag)) response.status(304).end()
  else sendJson(response, status, body)
}

export function sendOptions(response: Response, methods: string[]): void {
  const allowed = methods.join(', ')
  response.set('Allow', allowed)
  if (response.get('Access-Control-Allow-Origin')) {
    response.set('Access-Control-Allow-Methods', allowed)
  }
  response.status(204).end()
}

async function sendCompressed(request: Request, response: Response, body: unknown): Promise<void> {
  const isText = response.get('Content-Type') !== undefined
  const bytes = isText ? Buffer.from(String(body)) : await jsonBytes(body)
  const encoding = encodingFor(request, bytes)
  const encoded = encoding ? await encodeAnswer(bytes, encoding) : bytes
  // Its deadline may have ended meanwhile.
  if (response.headersSent) return
  response.vary('Accept-Encoding')
  if (!isText) response.type('application/json; charset=utf-8')
  if (encoding) response.set('Content-Encoding', encoding)
  response.end(encoded)
}

/** RFC 9110, 13.1.2. Express's `fresh` heeds `Cache-Control`, which `fetch` sends with every condition. */
export function isNotModified({ method, headers }: Request, etag: string): boolean {
  const asked = headers['if-none-match']
  if (asked === undefined || (method !== 'GET' && method !== 'HEAD')) return false
  return asked.trim() === '*' || (asked.match(/"[^"]*"/g) ?? []).some((tag) => tag === etag)
}

export type Encoding = 'br' | 'gzip'

const minCompressed = 1024

export function encodingFor(request: Request, body: Buffer): Encoding | undefined {
  if (body.length < minCompressed) return undefined
  const encoding = request.acceptsEncodings('br', 'gzip', 'identity')
  return encoding === 'br' || encoding === 'gzip' ? encoding : undefined
}

/** In bytes. Compressing a smaller body takes less time than handing it to another thread. */
const minElsewhere = 256 * 1024

/** A higher quality costs more than it saves. */
function encodeAnswer(body: Buffer, encoding: Encoding): Buffer | Promise<Buffer> {
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

const minPiece = 64 * 1024

/** JSON in UTF-8, written item by item, because a long list at once blocks the event loop. */
async function jsonBytes(value: unknown): Promise<Buffer> {
  const slice = new TimeSlice()
  const pieces: Buffer[] = []
  let text = ''
  for (const part of partsOf(value)) {
    text += part
    if (text.length < minPiece) continue
    pieces.push(Buffer.from(text))
    text = ''
    await slice.pause()
  }
  const last = Buffer.from(text)
  return pieces.length === 0 ? last : concatenated([...pieces, last])
}

function* partsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* partsOfList(value)
  else if (typeof value === 'object' && value !== null) yield* partsOfObject(value)
  else yield JSON.stringify(value)
}

function* partsOfList(items: unknown[]): Generator<string> {
  yield '['
  for (const [index, item] of items.entries()) {
    yield (index === 0 ? '' : ',') + (JSON.stringify(item) ?? 'null')
  }
  yield ']'
}

function* partsOfObject(value: object): Generator<string> {
  let separator = '{'
  for (const [member, child] of Object.entries(value)) {
    if (child === undefined) continue
    yield `${separator}${JSON.stringify(member)}:`
    separator = ','
    if (Array.isArray(child)) yield* partsOfList(child)
    else yield JSON.stringify(child)
  }
  yield separator === '{' ? '{}' : '}'
}

/** The path prefix that a proxy cut off. A client that sends one shapes only its own answer. */
export function prefixOf(headers: IncomingHttpHeaders): string {
  const prefix = first(headers['x-forwarded-prefix']).replace(/\/$/, '')
  return prefix.length <= maxLength && path.test(prefix) ? prefix : ''
}

export function baseOf(headers: IncomingHttpHeaders): string | undefined {
  const host = [first(headers['x-forwarded-host']), headers.host ?? ''].find(isAuthority)
  if (host === undefined) return undefined
  const protocol = first(headers['x-forwarded-proto']).toLowerCase()
  return `${protocol === 'https' ? 'https' : 'http'}://${host}${prefixOf(headers)}`
}

const maxLength = 256
const path = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/
const authority = /^(?:[a-z\d](?:[\w.-]*[a-z\d])?\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i

const isAuthority = (host: string): boolean => host.length <= maxLength && authority.test(host)

/** Each proxy appends its own value, so the first is the outermost proxy's. */
const first = (header: string | string[] | undefined): string =>
  String(header ?? '')
    .split(',', 1)
    .join('')
    .trim()
