import express, {
  type ErrorRequestHandler,
  type Request,
  type Response,
  type Router,
} from 'express'
import type { RequestListener } from 'node:http'
import { problems } from '../../generated/problems.gen.ts'
import { Abandoned, InvalidRequest, ProviderFailed, StartupError } from '../errors.ts'
import type { Log } from '../process/log.ts'
import type { Contract } from './contract/contract.ts'
import { allowOrigins } from './cors.ts'
import { endWithProblem, isEventStream } from './event-stream.ts'
import { newRequestId, sendProblem, toServiceError } from './problem.ts'

export type AppOptions = {
  contract: Contract
  pages: Router
  corsOrigins: readonly string[]
  log: Log
}

/** The whole HTTP interface. It opens no port. */
export function createApp({ contract, pages, corsOrigins, log }: AppOptions): RequestListener {
  const app = express()
  app.disable('x-powered-by')
  app.use((request, response, next) => {
    response.set({
      'X-Request-Id': newRequestId(),
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    })
    logOnClose(request, response, log)
    checkTarget(request)
    next()
  })
  if (corsOrigins.length > 0) app.use(allowOrigins(corsOrigins))
  app.use(pages)
  app.use((request, response) => contract(request, response))
  app.use(errorWriter(log))
  return (request, response) => {
    const target = request.url ?? '/'
    app(Object.assign(request, { originalUrl: target, url: toOriginForm(target) }), response)
  }
}

/** A proxy may ask for a whole URL (RFC 9112, 3.2.2), of which only the path counts. */
const toOriginForm = (url: string): string =>
  url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')

/** @throws InvalidRequest as RFC 9112, 3.2, demands */
function checkTarget({ headers, httpVersion, originalUrl }: Request): void {
  if (/^[a-z]/i.test(originalUrl) && !URL.canParse(originalUrl)) {
    throw new InvalidRequest(
      [{ pointer: '', detail: 'has a target that is no URL' }],
      'The request',
    )
  }
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new InvalidRequest([{ pointer: '/header/host', detail: 'is required' }])
  }
}

/** Logs a line for each request, without anything a caller wrote: no path, no body, no key. */
function logOnClose({ method }: Request, response: Response, log: Log): void {
  const started = performance.now()
  response.once('close', () => {
    const { operationId, keyId } = response.locals
    log.info({
      requestId: response.get('X-Request-Id'),
      method,
      operationId,
      keyId,
      status: response.writableFinished ? response.statusCode : undefined,
      milliseconds: Math.round(performance.now() - started),
    })
  })
}

const errorWriter =
  (log: Log): ErrorRequestHandler =>
  (thrown: unknown, request, response, next) => {
    if (thrown instanceof Abandoned) return
    const error = toServiceError(thrown)
    const requestId = response.get('X-Request-Id')
    const { code, message } = error
    if (code === 'internal') log.error({ requestId, err: thrown })
    // There may be thousands a second, and each request has a line of its own.
    else if (code === 'overloaded') log.debug({ requestId, code }, message)
    else if (problems[code].status >= 500) {
      const reason = error instanceof ProviderFailed ? error.reason : reasonOf(error.cause)
      log.warn({ requestId, code, reason }, message)
    }
    if (isEventStream(response)) endWithProblem(error, request, response)
    else if (response.headersSent) next(thrown)
    else sendProblem(error, request, response)
  }

const reasonOf = (cause: unknown): string | undefined =>
  cause instanceof StartupError ? cause.message : undefined
