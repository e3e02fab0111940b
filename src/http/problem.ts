import type { Request, Response } from 'express'
import { problems } from '../../generated/problems.gen.ts'
import type { Problem } from '../../generated/types.gen.ts'
import {
  InsufficientScope,
  InvalidRequest,
  MethodNotAllowed,
  ServiceError,
  Unauthenticated,
  Unavailable,
} from '../errors.ts'
import { send } from './answer.ts'

/** Answers with any thrown value as a Problem. What is not ours says nothing of the inside. */
export function sendProblem(thrown: unknown, request: Request, response: Response): void {
  const error =
    thrown instanceof ServiceError
      ? thrown
      : new ServiceError('internal', 'Something went wrong on our side.')
  const { status, title } = problems[error.code]
  const body: Problem = {
    type: `/problems#${error.code}`,
    title,
    status,
    detail: error.message,
    instance: toUriPath(request.path),
    code: error.code,
    requestId: String(response.get('X-Request-Id')),
    ...(error instanceof InvalidRequest && { errors: error.violations }),
  }
  response.set(headersOf(error))
  // What is left of a body that was not read is not worth a connection.
  if (!request.complete) response.set('Connection', 'close')
  send(response, status, body, mediaType(request))
}

/** The path as it was sent, with what a URI cannot hold percent-encoded. */
const toUriPath = (path: string): string => encodeURI(path).replace(/%25(?=[0-9a-f]{2})/gi, '%')

function headersOf(error: ServiceError): Record<string, string> {
  if (error instanceof Unauthenticated) {
    return { 'WWW-Authenticate': error.missing ? realm : `${realm}, error="invalid_token"` }
  }
  if (error instanceof InsufficientScope) {
    const scope = error.scopes.join(' ')
    return { 'WWW-Authenticate': `${realm}, error="insufficient_scope", scope="${scope}"` }
  }
  if (error instanceof MethodNotAllowed) return { Allow: error.allowed.join(', ') }
  if (error instanceof Unavailable) return { 'Retry-After': String(error.retryAfter) }
  return {}
}

const realm = 'Bearer realm="agents-datastores"'

const mediaType = (request: Request): string =>
  !request.accepts('application/json') && request.accepts('application/problem+json')
    ? 'application/problem+json'
    : 'application/json'
