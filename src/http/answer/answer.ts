import type { Request, Response } from 'express'
import type { Answer } from '../../handlers/handler.ts'
import { prefixOf } from './base.ts'
import { encodeAnswer, encodingFor } from './encoding.ts'
import { jsonBytes } from './json-bytes.ts'
import { isNotModified } from './preconditions.ts'

/** Answers with a JSON body. Express's own `json` would turn some answers into a 304. */
export function sendJson(
  response: Response,
  status: number,
  body: unknown,
  mediaType = 'application/json',
): void {
  response.status(status).set('Content-Type', `${mediaType}; charset=utf-8`)
  response.end(JSON.stringify(body))
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
