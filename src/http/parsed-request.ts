import type { Request } from 'express'
import type { Operation } from 'openapi-backend'
import type { Matcher } from './matcher.ts'
import type { Query } from './parameters.ts'

/** A request as openapi-backend validates it, with the operation it is for. */
export type ParsedRequest = {
  operation: Operation
  method: string
  path: string
  headers: Record<string, string | string[]>
  params: Record<string, string>
  query: Query
  cookies: Record<string, string>
  requestBody: unknown
}

/** Takes a request apart, but for its query and body, which only its key gives a right to send. */
export function parseRequest(request: Request, matcher: Matcher): ParsedRequest {
  const { operation, params } = matcher.match(request.method, request.path)
  return {
    operation,
    method: operation.method,
    path: request.path,
    headers: request.headers as ParsedRequest['headers'],
    params,
    query: {},
    cookies: {},
    requestBody: undefined,
  }
}
