import type { Request, Response } from 'express'
import type { Context } from 'openapi-backend'
import type { Caller, Keys } from '../../domain/keys.ts'
import { InvalidRequest } from '../../errors.ts'
import type { CallOperation, Handlers } from '../../handlers/handler.ts'
import { sendAnswer, sendOptions } from '../answer.ts'
import { sendEvents } from '../event-stream.ts'
import { type Admissions, openAdmissions } from './admission.ts'
import { Answers } from './answers.ts'
import { authenticate } from './authentication.ts'
import { type ContractDocument, openBackend } from './backend.ts'
import { createExchanges, type Exchange } from './exchange.ts'
import { createCalls } from './inner-calls.ts'
import { JsonLimits } from './json-limits.ts'
import { Matcher } from './matcher.ts'
import { scopesOf } from './operation-rules.ts'
import { mismatchesOf, receive } from './receive.ts'
import { type AnyHandler, anyReply } from './reply.ts'
import { maxViolations, toViolations } from './violations.ts'

export type Contract = {
  /** Takes a request through the contract: match, authenticate, read, validate, call, answer. */
  handle: (request: Request, response: Response) => Promise<void>
  call: CallOperation
  admissions: Admissions
}

export type ContractOptions = {
  document: ContractDocument
  handlers: Handlers
  keys: Keys
  /** How long a request may take, in seconds. */
  requestTimeout: number
}

/** @throws when the document and the handlers do not belong together */
export async function openContract(options: ContractOptions): Promise<Contract> {
  const backend = await openOperations(options)
  const operations = backend.router.getOperations()
  const matcher = new Matcher(operations)
  const admissions = openAdmissions()
  const openExchange = createExchanges(operations, admissions, options.requestTimeout)
  return {
    handle: async (request, response) => {
      if (request.method === 'OPTIONS') return sendOptions(response, matcher.methods(request))
      const exchange = openExchange(request, response, matcher.match(request.method, request.path))
      const work = backend.handleRequest(exchange.parsed as never, exchange)
      // A request that was answered 504 holds its place until its work ends.
      await exchange.deadline.enforce(work.finally(() => exchange.permit?.release()))
    },
    call: createCalls(operations, backend.validator, options.handlers, admissions),
    admissions,
  }
}

async function openOperations({ document, handlers, keys }: ContractOptions) {
  const answers = new Answers()
  const jsonLimits = new JsonLimits()
  const handling = {
    securityHandlers: {
      bearer: ({ operation }: Context, { request }: Exchange) =>
        authenticate(keys, request.headers.authorization, scopesOf(operation)),
    },
    handlers: {
      ...outcomes,
      postSecurityHandler: (context: Context, exchange: Exchange) =>
        receive(context, exchange, jsonLimits),
    },
  }
  const backend = await openBackend(document, handling, jsonLimits)
  for (const [operationId, handler] of Object.entries(handlers)) {
    backend.register(operationId, (context: Context, exchange: Exchange) =>
      callInTurn(handler as AnyHandler, context, exchange, answers),
    )
  }
  return backend
}

/** Bounds what the answers to a workspace take. */
async function callInTurn(
  handler: AnyHandler,
  context: Context,
  exchange: Exchange,
  answers: Answers,
): Promise<void> {
  const mismatches = mismatchesOf(exchange)
  if (mismatches.length > 0) throw new InvalidRequest(mismatches)
  const work = () => call(handler, context, exchange)
  const { workspace } = (context.security?.bearer ?? {}) as Partial<Caller>
  if (workspace === undefined) return work()
  const { response, rules } = exchange
  // Those that are admitted are few already, and may wait for a provider.
  const isRead = rules.admission === undefined
  return isRead ? answers.read(workspace, response, work) : answers.make(workspace, response, work)
}

async function call(
  handler: AnyHandler,
  { request: validated, security }: Context,
  { request, response, rules, deadline }: Exchange,
): Promise<void> {
  deadline.signal.throwIfAborted()
  const { params: path, query, headers, requestBody: body } = validated
  const caller = security?.bearer
  const answer = await handler({ path, query, headers, body, caller, deadline }, anyReply)
  if ('events' in answer) await sendEvents(response, answer.events, deadline)
  // Past its deadline a request has its answer already.
  else if (!response.headersSent) {
    if (rules.admission === 'writes') response.locals.targetId = idOf(answer.body)
    await sendAnswer(request, response, answer)
  }
}

/** What was made, changed or deleted, for the log; a caller wrote none of these. */
const idOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined

const outcomes = {
  validationFail: ({ validation }: Context, exchange: Exchange): never => {
    const { body } = exchange.rules
    const broken = toViolations(validation.errors ?? [], body?.schema)
    const violations = [...broken, ...mismatchesOf(exchange)]
    throw new InvalidRequest(violations.slice(0, maxViolations))
  },
}
