import type { Response } from 'express'
import type { IncomingHttpHeaders } from 'node:http'

/** Headers that pages of other origins may send beside those of the contract. */
export const mcpHeaders = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']

export function toWebHeaders(headers: IncomingHttpHeaders): Headers {
  const web = new Headers()
  for (const name of ['Accept', 'Content-Type', ...mcpHeaders]) {
    const value = headers[name.toLowerCase()]
    if (typeof value === 'string') web.set(name, value)
  }
  return web
}

/** Sends the whole answer, because a stream of older revisions holds one message too. */
export async function sendWeb(response: Response, answer: globalThis.Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer())
  // The deadline may have come meanwhile.
  if (response.headersSent) return
  const type = answer.headers.get('content-type')
  if (type) response.set('Content-Type', type)
  response.status(answer.status).end(body)
}
