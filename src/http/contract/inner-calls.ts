import type { Operation, OpenAPIValidator } from 'openapi-backend'
import { InvalidRequest } from '../../errors.ts'
import type { CallInput, CallOperation, Handlers } from '../../handlers/handler.ts'
import type { Admissions } from './admission.ts'
import { checkScopes } from './authentication.ts'
import type { BodySchema } from './body-schema.ts'
import type { ParsedRequest } from './exchange.ts'
import { rulesOf, scopesOf } from './operation-rules.ts'
import { type AnyHandler, anyReply } from './reply.ts'
import { maxViolations, toViolations } from './violations.ts'

/**
 * Calls of operations from inside: admitted and checked as requests are, for JSON answers alone. Whoever calls
 * holds a place of the queries already, for all that one request makes.
 */
export function createCalls(
  operations: Operation[],
  validator: OpenAPIValidator,
  handlers: Handlers,
  admissions: Admissions,
): CallOperation {
  const operationsById = new Map(operations.map((each) => [each.operationId, each]))
  return async (operationId, input, { caller, deadline }) => {
    const operation = operationsById.get(operationId)!
    checkScopes(caller, scopesOf(operation))
    const { admission, body: bodyRules } = rulesOf(operation)
    const isHeld = admission === undefined || admission === 'queries'
    const permit = isHeld ? undefined : admissions[admission].admit(caller.workspace, 0)
    permit?.takePlace()
    try {
      const parsed = toParsed(operation, input)
      check(validator, parsed, bodyRules?.schema)
      const { params: path, query, requestBody: body } = parsed
      const request = { path, query, headers: {}, body, caller, deadline }
      const answer = await (handlers[operationId] as AnyHandler)(request, anyReply)
      if ('events' in answer) throw new Error(`${operationId} answered with events.`)
      return answer.body as never
    } finally {
      permit?.release()
    }
  }
}

/** Checking fills defaults in, so the body is a copy. */
const toParsed = (operation: Operation, { path = {}, query = {}, body }: CallInput) => ({
  operation,
  method: operation.method,
  path: operation.path,
  headers: {},
  params: path,
  query: { ...query },
  cookies: {},
  requestBody: structuredClone(body),
})

/** @throws InvalidRequest */
function check(
  validator: OpenAPIValidator,
  parsed: ParsedRequest,
  schema: BodySchema | undefined,
): void {
  const { errors } = validator.validateRequest(parsed as never, parsed.operation)
  const violations = toViolations(errors ?? [], schema)
  if (violations.length > 0) throw new InvalidRequest(violations.slice(0, maxViolations))
}
