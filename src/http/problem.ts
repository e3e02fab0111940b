import type { Request, Response } from 'express'
import { problems } from '../../generated/problems.gen.ts'
import type { Problem } from '../../generated/types.gen.ts'
import {
  InsufficientScope,
  InvalidRequest,
  MethodNotAllowed,
  PreconditionFailed,
  ServiceError,
  Unauthenticated,
  UnsupportedEncoding,
  StartupError,
} from '../errors/errors.ts'
import { StoreUnreachable } from '../errors/store-unreachable.ts'
import { ProviderFailed } from '../errors/provider-errors.ts'
import { etagOf } from '../handlers/preconditions.ts'
import type { Log } from '../process/log.ts'
import { prefixOf, sendJson } from './answer.ts'

/** Callers learn nothing about an unknown error. */
const toServiceError = (thrown: unknown): ServiceError =>
  thrown instanceof ServiceError
    ? thrown
    : new ServiceError('internal', 'Something went wrong on our side.')

/** An error as the contract's Problem. `prefix` is the path prefix that a proxy cut off. */
export function toProblem(
  error: ServiceError,
  path: string,
  requestId: string,
  prefix = '',
): Problem {
  const { status, title } = problems[error.code]
  return {
    type: `${prefix}/problems#${error.code}`,
    title,
    status,
    detail: error.message,
    instance: toUriPath(prefix + path),
    code: error.code,
    requestId,
    ...(error instanceof InvalidRequest && { errors: error.violations }),
  }
}

export function problemOf(error: ServiceError, request: Request, response: Response): Problem {
  const requestId = String(response.get('X-Request-Id'))
  return toProblem(error, request.path, requestId, prefixOf(request.headers))
}

export function sendProblem(error: ServiceError, request: Request, response: Response): void {
  const problem = problemOf(error, request, response)
  response.set(headersOf(error, request.method)).vary('Accept')
  sendJson(response, problem.status, problem, mediaType(request))
}

/** Percent-encodes characters that a URI cannot hold. Two slashes at the start would begin a host. */
const toUriPath = (path: string): string =>
  encodeURI(path)
    .replace(/%25(?=[0-9a-f]{2})/gi, '%')
    .replace(/^\/\//, '/.//')

function headersOf(error: ServiceError, method: string): Record<string, string> {
  if (error instanceof Unauthenticated) {
    return { 'WWW-Authenticate': error.missing ? realm : `${realm}, error="invalid_token"` }
  }
  if (error instanceof InsufficientScope) {
    const scope = error.scopes.length > 0 ? `, scope="${error.scopes.join(' ')}"` : ''
    return { 'WWW-Authenticate': `${realm}, error="insufficient_scope"${scope}` }
  }
  if (error instanceof PreconditionFailed && error.rev !== undefined)
    return etagOf({ rev: error.rev })
  if (error instanceof UnsupportedEncoding) return { 'Accept-Encoding': 'identity' }
  if (error.code === 'unsupported_media_type' && method === 'PATCH') {
    return { 'Accept-Patch': 'application/json' }
  }
  if (error instanceof MethodNotAllowed) return { Allow: error.allowed.join(', ') }
  const isToWait = 'retryAfter' in error && error.retryAfter !== null
  return isToWait ? { 'Retry-After': String(error.retryAfter) } : {}
}

const realm = 'Bearer realm="agents-datastores"'

const maxAcceptLength = 1_024

function mediaType(request: Request): string {
  const [json, problem] = ['application/json', 'application/problem+json']
  const isLong = (request.headers.accept ?? '').length > maxAcceptLength
  return !isLong && !request.accepts(json) && request.accepts(problem) ? problem : json
}

/** Turns an error into the one that the caller sees, and logs what only the operator may know. */
export function toReportedError(
  thrown: unknown,
  requestId: string | undefined,
  log: Log,
): ServiceError {
  const error = toServiceError(thrown)
  const { code, message } = error
  if (code === 'internal') log.error({ requestId, err: thrown })
  // There may be thousands a second, and each request has its own line.
  else if (code === 'overloaded') log.debug({ requestId, code }, message)
  else if (problems[code].status >= 500) {
    const reason = error instanceof ProviderFailed ? error.reason : reasonOf(error.cause)
    log.warn({ requestId, code, reason }, message)
  }
  return error
}

const reasonOf = (cause: unknown): string | undefined =>
  cause instanceof StartupError || cause instanceof StoreUnreachable ? cause.message : undefined
