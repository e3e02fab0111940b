import type { Request, Response } from 'express'
import type { Context } from 'openapi-backend'
import type { Keys } from '../../domain/keys.ts'
import { InvalidRequest } from '../../errors.ts'
import type { Answer, EventsAnswer, Handlers, ServerEvent } from '../../handlers/handler.ts'
import { sendAnswer, sendOptions } from '../answer.ts'
import { sendEvents } from '../event-stream.ts'
import { authenticate } from './authentication.ts'
import { type ContractDocument, openBackend } from './backend.ts'
import { createExchanges, type Exchange } from './exchange.ts'
import { Matcher } from './matcher.ts'
import { scopesOf } from './operation-rules.ts'
import { mismatchesOf, receive } from './receive.ts'
import { maxViolations, toViolations } from './violations.ts'

/** Takes a request through the contract: match, authenticate, read, validate, call, answer. */
export type Contract = (request: Request, response: Response) => Promise<void>

export type ContractOptions = {
  document: ContractDocument
  handlers: Handlers
  keys: Keys
  /** How long a request may take, in seconds. */
  requestTimeout: number
}

/** @throws when the document and the handlers do not belong together, or a schema does not compile */
export async function openContract(options: ContractOptions): Promise<Contract> {
  const { document, handlers, keys, requestTimeout } = options
  const backend = await openBackend(document, {
    securityHandlers: {
      bearer: ({ operation }: Context, { request }: Exchange) =>
        authenticate(keys, request.headers.authorization, scopesOf(operation)),
    },
    handlers: { ...outcomes, postSecurityHandler: receive },
  })
  for (const [operationId, handler] of Object.entries(handlers)) {
    backend.register(operationId, (context: Context, exchange: Exchange) =>
      call(handler as AnyHandler, context, exchange),
    )
  }
  const operations = backend.router.getOperations()
  const matcher = new Matcher(operations)
  const openExchange = createExchanges(operations, requestTimeout)
  return async (request, response) => {
    if (request.method === 'OPTIONS') return sendOptions(response, matcher.methods(request))
    const exchange = openExchange(request, response, matcher.match(request.method, request.path))
    const work = backend.handleRequest(exchange.parsed as never, exchange)
    // A request that was answered 504 holds its place until its work ends.
    await exchange.deadline.enforce(work.finally(() => exchange.permit?.release()))
  }
}

type AnyHandler = (request: unknown, reply: typeof anyReply) => Promise<Answer | EventsAnswer>

async function call(
  handler: AnyHandler,
  { request: validated, security }: Context,
  exchange: Exchange,
): Promise<void> {
  const { request, response, deadline } = exchange
  const mismatches = mismatchesOf(exchange)
  if (mismatches.length > 0) throw new InvalidRequest(mismatches)
  const { params: path, query, headers, requestBody: body } = validated
  const caller = security?.bearer
  const answer = await handler({ path, query, headers, body, caller, deadline }, anyReply)
  if ('events' in answer) await sendEvents(response, answer.events, deadline)
  // Past its deadline a request has its answer already.
  else if (!response.headersSent) await sendAnswer(request, response, answer)
}

const toAnswer = (status: number, body: unknown, headers = {}): Answer => ({
  status,
  body,
  headers,
})

const anyReply = Object.assign(toAnswer, {
  events: (events: AsyncIterable<ServerEvent>): EventsAnswer => ({ events }),
})

const neverCalled = (): never => {
  throw new Error('openapi-backend called a handler that it has no reason to call.')
}

const outcomes = {
  validationFail: ({ validation }: Context, exchange: Exchange): never => {
    const violations = [...toViolations(validation.errors ?? []), ...mismatchesOf(exchange)]
    throw new InvalidRequest(violations.slice(0, maxViolations))
  },
  unauthorizedHandler: neverCalled,
  notFound: neverCalled,
  methodNotAllowed: neverCalled,
  notImplemented: neverCalled,
}
