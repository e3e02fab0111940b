import type { Request, Response } from 'express'
import { encode, encodingFor } from './encoding.ts'

/** Answers with a JSON body. Express's own `json` would turn some answers into a 304. */
export function send(
  response: Response,
  status: number,
  body: unknown,
  mediaType = 'application/json',
): void {
  response.status(status).set('Content-Type', `${mediaType}; charset=utf-8`)
  response.end(JSON.stringify(body))
}

/** Answers with a JSON body, compressed where that is asked for and the answer has not come meanwhile. */
export async function sendEncoded(
  request: Request,
  response: Response,
  body: unknown,
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body))
  const encoding = encodingFor(request, bytes)
  const encoded = encoding ? await encode(bytes, encoding) : bytes
  if (response.headersSent) return
  response.vary('Accept-Encoding').type('application/json; charset=utf-8')
  if (encoding) response.set('Content-Encoding', encoding)
  response.end(encoded)
}
