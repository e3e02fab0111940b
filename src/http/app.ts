import type { RequestListener } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express'
import { LRUCache } from 'lru-cache'
import { Abandoned, InvalidRequest, TooManyRequests } from '../errors/errors.ts'
import type { Log } from '../process/log.ts'
import type { Metrics } from '../process/metrics.ts'
import { commonHeaders, newRequestId } from './answer.ts'
import { endWithProblem, isEventStream } from './event-stream.ts'
import { toReportedError, sendProblem } from './problem.ts'

type AppOptions = {
  contract: (request: Request, response: Response) => Promise<void>
  mcp: RequestHandler
  pages: Router
  cors?: RequestHandler | undefined
  log: Log
  metrics: Metrics
}

export function createApp(options: AppOptions): RequestListener {
  const { contract, mcp, pages, cors, log } = options
  const app = express()
  const noteOnClose = requestLog(options)
  app.disable('x-powered-by')
  app.use((request, response, next) => {
    response.set(commonHeaders(newRequestId()))
    noteOnClose(request, response)
    checkTarget(request)
    next()
  })
  if (cors) app.use(cors)
  app.use(pages)
  app.all(mcpPath, mcp)
  app.use((request, response) => contract(request, response))
  app.use(errorWriter(log))
  return (request, response) => {
    const target = request.url ?? '/'
    app(Object.assign(request, { originalUrl: target, url: toOriginForm(target) }), response)
  }
}

/** Express would decode a group, and a broken escape would become a 500. */
const mcpPath = /^(?:\/datastores\/[^/]+)?\/mcp$/

/** A proxy may ask for a whole URL (RFC 9112, 3.2.2), of which only the path is used. */
const toOriginForm = (url: string): string =>
  url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')

/** @throws InvalidRequest as RFC 9112, 3.2, demands */
function checkTarget({ headers, headersDistinct, httpVersion, originalUrl }: Request): void {
  if (/^[a-z]/i.test(originalUrl) && !URL.canParse(originalUrl)) {
    throw new InvalidRequest(
      [{ pointer: '', detail: 'has a target that is no URL' }],
      'The request',
    )
  }
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new InvalidRequest([{ pointer: '/header/host', detail: 'is required' }])
  }
  if ((headersDistinct.host?.length ?? 0) > 1) {
    throw new InvalidRequest([{ pointer: '/header/host', detail: 'is given more than once' }])
  }
}

/** Ids of tracing, proxies and clients; nothing that would end a line or fill the log. */
const harmlessId = /^[\w.:/+=@-]{1,128}$/

function callerRequestId({ 'x-request-id': id }: Request['headers']): string | undefined {
  return typeof id === 'string' && harmlessId.test(id) ? id : undefined
}

/** Logs and counts each request, without texts of the caller but its own id: no path, no body, no key. */
function requestLog({ log, metrics }: AppOptions): (request: Request, response: Response) => void {
  const noteDeprecations = deprecationLog(log)
  return ({ method, headers }, response) => {
    const started = performance.now()
    response.once('close', () => {
      const { operationId, keyId, targetId, deprecated = [] } = response.locals
      const status = response.writableFinished ? response.statusCode : undefined
      const took = performance.now() - started
      metrics.countRequest(operationId, status, took / 1000)
      log.info({
        requestId: response.get('X-Request-Id'),
        callerRequestId: callerRequestId(headers),
        method,
        operationId,
        keyId,
        targetId,
        status,
        milliseconds: Math.round(took),
      })
      noteDeprecations({ operationId, keyId }, deprecated)
    })
  }
}

/** Clients that return sooner than they are told would keep the event loop from the other workspaces. */
const refusalMilliseconds = 1_000

const errorWriter =
  (log: Log): ErrorRequestHandler =>
  async (thrown: unknown, request, response, next) => {
    if (thrown instanceof Abandoned) return
    const isOneOfMany = thrown instanceof TooManyRequests && thrown.retryAfter > 1
    if (isOneOfMany) await pause(refusalMilliseconds)
    const error = toReportedError(thrown, response.get('X-Request-Id'), log)
    if (isEventStream(response)) endWithProblem(error, request, response)
    else if (response.headersSent) next(thrown)
    else sendProblem(error, request, response)
  }

const maxNoted = 1_000

/** Logs uses of deprecated members, once for each member, operation and key. */
function deprecationLog(log: Log): (use: object, members: string[]) => void {
  const noted = new LRUCache<string, true>({ max: maxNoted })
  return (use, members) => {
    for (const member of members) {
      const line = { ...use, deprecated: member }
      const name = JSON.stringify(line)
      if (noted.has(name)) continue
      noted.set(name, true)
      log.warn(line, 'A request uses a deprecated member.')
    }
  }
}
