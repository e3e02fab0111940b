import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'

/** A proxy in front of a server that lets some requests to certain paths through, and then holds the others. */
export async function openHoldingProxy(
  url: string,
  path: RegExp,
  passes: number,
  tell: (request: string) => void = () => undefined,
): Promise<{ url: string; held: Promise<void>; close: () => void }> {
  const { promise: held, resolve } = Promise.withResolvers<void>()
  let left = passes
  const server = createServer((incoming, outgoing) => {
    if (!path.test(`${incoming.method} ${incoming.url}`)) return pass(url, incoming, outgoing)
    tell(`${incoming.method} ${incoming.url}`)
    left -= 1
    if (left >= 0) return pass(url, incoming, outgoing)
    resolve()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, held, close }
}

function pass(url: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers } = incoming
  const onward = request(`${url}${incoming.url}`, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(outgoing)
  })
  incoming.pipe(onward)
}
