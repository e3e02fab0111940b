import type { IncomingMessage, IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Request, RequestHandler, Response } from 'express'
import type { Keys } from '../domain/keys.ts'
import { InvalidRequest, MethodNotAllowed } from '../errors/errors.ts'
import type { Mcp } from '../mcp/mcp.ts'
import type { Log } from '../process/log.ts'
import { Deadline } from '../process/deadline.ts'
import { type Admissions, announcedBytes, type Permit } from './admission.ts'
import { baseOf, sendJson, sendOptions } from './answer.ts'
import { readBody } from './body/body.ts'
import { abandonOnClose, authenticate } from './exchange.ts'
import { decodePath } from './request-target.ts'
import { toReportedError } from './problem.ts'

type McpRouteOptions = {
  mcp: Mcp
  keys: Keys
  admissions: Admissions
  /** In seconds. */
  requestTimeout: number
  corsOrigins: readonly string[]
  log: Log
}

const ofDatastore = /^\/datastores\/(?<id>[^/]+)/
const methods = ['POST', 'OPTIONS']

/** `/mcp` and `/datastores/{id}/mcp`, which follow the protocol's own contract. */
export function createMcpRoute(options: McpRouteOptions): RequestHandler {
  return async (request, response) => {
    const { method, path } = request
    response.locals.operationId = 'mcp'
    if (method === 'OPTIONS') return sendOptions(response, methods)
    if (method !== 'POST') throw new MethodNotAllowed(methods)
    if (isForeign(request, options.corsOrigins)) return refuseOrigin(response)
    const deadline = new Deadline(options.requestTimeout, false)
    abandonOnClose(deadline, response)
    const segment = ofDatastore.exec(path)?.groups?.id
    await deadline.enforce(answer(request, response, segment, deadline, options))
  }
}

async function answer(
  request: Request,
  response: Response,
  segment: string | undefined,
  deadline: Deadline,
  { mcp, keys, admissions, log }: McpRouteOptions,
): Promise<void> {
  const caller = await authenticate(keys, request.headers.authorization)
  response.locals.keyId = caller.keyId
  mcp.checkCaller(caller, segment)
  const announced = announcedBytes(request, mcp.maxMessageBytes)
  const permit = admissions.queries.admit(caller.workspace, announced)
  try {
    const message = await readMessage(request, response, mcp.maxMessageBytes, permit)
    if (!message) return
    permit.takePlace()
    const { id: datastoreId } = decodePath(segment === undefined ? {} : { id: segment })
    deadline.start()
    const answered = await mcp.answer({
      message,
      headers: toWebHeaders(request.headers),
      datastoreId,
      by: { caller, deadline },
      base: baseOf(request.headers) ?? '',
      report: (thrown) => toReportedError(thrown, response.get('X-Request-Id'), log),
    })
    await sendWeb(response, answered)
  } finally {
    permit.release()
  }
}

/** Undefined once it is refused. */
async function readMessage(
  request: Request,
  response: Response,
  maxBytes: number,
  permit: Permit,
): Promise<object | undefined> {
  const rules = { maxBytes, schema: {}, isIgnored: false, kind: 'json' } as const
  const read = readBody(request, response, rules, (bytes) => permit.takeBytes(bytes))
  const body = await read.catch((error: unknown) => {
    if (!(error instanceof InvalidRequest)) throw error
    refuse(response, 400, parseError, error.message)
  })
  if (response.headersSent) return undefined
  if (isMessage(body)) return body
  refuse(response, 400, invalidRequest, 'Send one message at a time.')
  return undefined
}

/** Only one revision had lists of messages, and a list makes one request as costly as many. */
const isMessage = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && !Array.isArray(body)

const [parseError, invalidRequest, serverError] = [-32_700, -32_600, -32_000]

type Asked = Pick<IncomingMessage, 'headers'> & {
  socket: Pick<Socket, 'localAddress' | 'localPort'>
}

/** Whether a page of another site asks. Clients other than browsers send no origin. */
export function isForeign({ headers, socket }: Asked, origins: readonly string[]): boolean {
  const { origin } = headers
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return false
  return !ownOrigins(socket).includes(origin)
}

const loopback = ['localhost', '127.0.0.1', '[::1]']

/** By the local address: a page whose name was made to lead here chooses the `Host` header. */
function ownOrigins({ localAddress = '', localPort }: Asked['socket']): string[] {
  const address = localAddress.replace(/^::ffff:/i, '')
  const own = address.includes(':') ? `[${address}]` : address
  const hosts = address === '::1' || address.startsWith('127.') ? [own, ...loopback] : [own]
  const urls = hosts.map((host) => `http://${host}:${localPort}`)
  return urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)
}

function refuseOrigin(response: Response): void {
  const message = 'Pages of this origin may not call the service: CORS_ORIGINS does not name it.'
  refuse(response, 403, serverError, message)
}

/** The protocol's error, without a message id, because no message was read. */
function refuse(response: Response, status: number, code: number, message: string): void {
  sendJson(response, status, { jsonrpc: '2.0', error: { code, message }, id: null })
}

/** Headers that pages of other origins may send beside those of the contract. */
export const mcpHeaders = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']

function toWebHeaders(headers: IncomingHttpHeaders): Headers {
  const web = new Headers()
  for (const name of ['Accept', 'Content-Type', ...mcpHeaders]) {
    const value = headers[name.toLowerCase()]
    if (typeof value === 'string') web.set(name, value)
  }
  return web
}

/** Sends the whole answer, because a stream of older revisions holds one message too. */
async function sendWeb(response: Response, message: globalThis.Response): Promise<void> {
  const body = Buffer.from(await message.arrayBuffer())
  // The deadline may have come meanwhile.
  if (response.headersSent) return
  const type = message.headers.get('content-type')
  if (type) response.set('Content-Type', type)
  response.status(message.status).end(body)
}
