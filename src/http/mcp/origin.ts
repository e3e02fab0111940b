import type { Response } from 'express'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { sendJson } from '../answer.ts'

type Asked = Pick<IncomingMessage, 'headers'> & {
  socket: Pick<Socket, 'localAddress' | 'localPort'>
}

/** Whether a page of another site asks. What is no browser names no origin. */
export function isForeign({ headers, socket }: Asked, origins: readonly string[]): boolean {
  const { origin } = headers
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return false
  return !ownOrigins(socket).includes(origin)
}

const loopback = ['localhost', '127.0.0.1', '[::1]']

/** By the address the connection came in at: a page whose name was made to lead here chooses what `Host` says. */
function ownOrigins({ localAddress = '', localPort }: Asked['socket']): string[] {
  const address = localAddress.replace(/^::ffff:/i, '')
  const own = address.includes(':') ? `[${address}]` : address
  const hosts = address === '::1' || address.startsWith('127.') ? [own, ...loopback] : [own]
  const urls = hosts.map((host) => `http://${host}:${localPort}`)
  return urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)
}

/** As the protocol has it, without the id of a message, since none was read. */
export function refuseOrigin(response: Response): void {
  const message = 'Pages of this origin may not call the service: CORS_ORIGINS does not name it.'
  sendJson(response, 403, { jsonrpc: '2.0', error: { code: -32_000, message }, id: null })
}
