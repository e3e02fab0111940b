import type { Request, Response } from 'express'
import type { Context, Operation } from 'openapi-backend'
import type { Violation } from '../../generated/types.gen.ts'
import type { Deadline } from '../deadline.ts'
import { nextTurn } from '../scheduling/turns.ts'
import type { Admission, AdmissionKind, Permit } from './admission.ts'
import { readBody } from './body.ts'
import type { Matcher } from './matcher.ts'
import type { OperationRules } from './operation-rules.ts'
import { decodePath, pathMismatches, type Query, readQuery } from './parameters.ts'
import { checkPreconditions } from './preconditions.ts'

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

export type Exchange = {
  request: Request
  response: Response
  parsed: ParsedRequest
  rules: OperationRules
  deadline: Deadline
  admissions: Record<AdmissionKind, Admission>
  permit?: Permit | undefined
}

/** Matches a request, and leaves its query and body for when its key is known. */
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

/** Admits a request whose key was checked, and reads the rest of it. @throws ServiceError */
export async function receive({ security, operation }: Context, exchange: Exchange): Promise<void> {
  const { request, response, parsed, rules, deadline } = exchange
  const { bearer } = security ?? {}
  if (bearer?.error) throw bearer.error
  response.locals.keyId = bearer?.keyId
  const permit = admit(exchange)
  exchange.permit = permit
  if (rules.body) {
    const take = (bytes: number) => permit?.takeBytes(bytes)
    parsed.requestBody = await readBody(request, response, rules.body, take)
  }
  permit?.takePlace()
  // Operations without a key take no query, and nobody is told what is wrong with one.
  if (bearer) parsed.query = readQuery(request.url, operation)
  parsed.params = decodePath(parsed.params)
  if (bearer) checkPreconditions(request.headers, operation)
  deadline.start()
  // Of many queries that come together the last is admitted or refused before the second is worked on.
  if (rules.admission === 'queries') await nextTurn()
}

export const mismatchesOf = ({ parsed, rules }: Exchange): Violation[] =>
  rules.body?.isIgnored ? [] : pathMismatches(parsed.requestBody, parsed.params)

function admit({ request, rules, admissions }: Exchange): Permit | undefined {
  if (!rules.admission) return undefined
  const announced = Number(request.headers['content-length'] ?? 0)
  return admissions[rules.admission].admit(Math.min(announced, rules.body?.maxBytes ?? 0))
}
