import { once } from 'node:events'
import { connect } from 'node:net'
import type { Answer } from './wire.ts'

/** All that a server answers to these bytes until it closes the connection, or is silent for long. */
export async function sendRaw(url: string, bytes: Buffer): Promise<Answer[]> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk))
  // A server may close while there is still something to send.
  socket.on('error', () => undefined)
  socket.setTimeout(silence, () => socket.destroy())
  socket.end(bytes)
  await once(socket, 'close')
  return answersIn(Buffer.concat(received))
}

const silence = 90_000

/** @throws where the bytes are no answers of HTTP/1.1 */
export function answersIn(bytes: Buffer): Answer[] {
  if (bytes.length === 0) return []
  const end = bytes.indexOf('\r\n\r\n')
  const [line = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
  if (end < 0 || !status)
    throw new Error(`no answer of HTTP/1.1: ${bytes.toString('latin1', 0, 200)}`)
  const headers = new Headers(fields.map((field) => field.split(/: ?(.*)/, 2) as [string, string]))
  const rest = bytes.subarray(end + 4)
  if (status === 100) return answersIn(rest)
  const [body, next] = bodyIn(rest, headers)
  return [{ status, headers, text: body.toString() }, ...answersIn(next)]
}

/** The body and what follows it. */
function bodyIn(bytes: Buffer, headers: Headers): [Buffer, Buffer] {
  if (headers.get('transfer-encoding') === 'chunked') return chunksIn(bytes)
  // A body without a length ends with the connection, as callers of HTTP/1.0 know it.
  const toTheEnd = headers.get('connection') === 'close' ? bytes.length : 0
  const length = Number(headers.get('content-length') ?? toTheEnd)
  return [bytes.subarray(0, length), bytes.subarray(length)]
}

function chunksIn(bytes: Buffer): [Buffer, Buffer] {
  const end = bytes.indexOf('\r\n')
  const size = Number.parseInt(bytes.toString('latin1', 0, end), 16)
  const next = bytes.subarray(end + 2 + (size || 0) + 2)
  if (!(size > 0)) return [Buffer.alloc(0), next]
  const [more, rest] = chunksIn(next)
  return [Buffer.concat([bytes.subarray(end + 2, end + 2 + size), more]), rest]
}
