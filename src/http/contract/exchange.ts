import type { Request, Response } from 'express'
import type { Operation } from 'openapi-backend'
import { Deadline } from '../../scheduling/deadline.ts'
import type { Admissions, Permit } from './admission.ts'
import type { Match } from './matcher.ts'
import { type OperationRules, rulesOf } from './operation-rules.ts'
import type { Query } from './parameters.ts'

export type Exchange = {
  request: Request
  response: Response
  parsed: ParsedRequest
  rules: OperationRules
  deadline: Deadline
  admissions: Admissions
  permit?: Permit | undefined
}

/** A request as openapi-backend takes it, with its operation. */
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

export type OpenExchange = (request: Request, response: Response, match: Match) => Exchange

/** `requestTimeout` is in seconds. @throws when the contract lacks a rule of an operation */
export function createExchanges(
  operations: Operation[],
  admissions: Admissions,
  requestTimeout: number,
): OpenExchange {
  const rulesById = new Map(operations.map((each) => [each.operationId, rulesOf(each)]))
  return (request, response, match) => {
    const { operationId } = match.operation
    response.locals.operationId = operationId
    const rules = rulesById.get(operationId)!
    const isWrite = rules.admission === 'writes'
    const deadline = new Deadline(requestTimeout, isWrite)
    // Clients that hang up and ask again must not take everybody's place.
    response.once('close', () => {
      if (!response.writableFinished) deadline.abandon()
    })
    return { request, response, parsed: toParsed(request, match), rules, deadline, admissions }
  }
}

/** The query and the body are read once the key is known. */
const toParsed = (request: Request, { operation, params }: Match): ParsedRequest => ({
  operation,
  method: operation.method,
  path: request.path,
  headers: request.headers as ParsedRequest['headers'],
  params,
  query: {},
  cookies: {},
  requestBody: undefined,
})
