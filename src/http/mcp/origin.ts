import type { Response } from 'express'
import type { IncomingHttpHeaders } from 'node:http'
import { baseOf } from '../base.ts'
import { sendJson } from '../answer.ts'

/** Whether a page of another site asks. What is no browser names no origin. */
export function isForeign(headers: IncomingHttpHeaders, origins: readonly string[]): boolean {
  const { origin } = headers
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return false
  const base = baseOf(headers)
  // A proxy need not tell which protocol it was asked by.
  return !base || !URL.canParse(origin) || new URL(origin).host !== new URL(base).host
}

/** As the protocol has it, without the id of a message, since none was read. */
export function refuseOrigin(response: Response): void {
  const message = 'Pages of this origin may not call the service: CORS_ORIGINS does not name it.'
  sendJson(response, 403, { jsonrpc: '2.0', error: { code: -32_000, message }, id: null })
}
