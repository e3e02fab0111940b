import type { Response } from 'express'

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
