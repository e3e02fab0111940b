import type { Request, Response } from 'express'
import type { Context } from 'openapi-backend'
import type { Violation } from '../../generated/types.gen.ts'
import type { Keys } from '../domain/keys.ts'
import { InvalidRequest, maxViolations } from '../errors/errors.ts'
import { asUnavailable } from '../errors/store-unreachable.ts'
import type {
  Answer,
  CallOperation,
  EventsAnswer,
  Handlers,
  ServerEvent,
} from '../handlers/handler.ts'
import { type Admissions, Answers, openAdmissions } from './admission.ts'
import { sendOptions } from './answer.ts'
import { backendOf, type ContractDocument } from './backend.ts'
import { type Exchange, InnerExchange } from './exchange.ts'
import { HttpExchange } from './http-exchange.ts'
import { Matcher, pathMismatches } from './request-target.ts'
import { rulesOf } from './operation-rules.ts'
import { toViolations } from './violations.ts'

export type Contract = {
  /** Takes a request through the contract: match, authenticate, read, validate, call, answer. */
  handle: (request: Request, response: Response) => Promise<void>
  call: CallOperation
  admissions: Admissions
}

type ContractOptions = {
  document: ContractDocument
  handlers: Handlers
  keys: Keys
  requestTimeout: number
}

export async function openContract(options: ContractOptions): Promise<Contract> {
  const { document, handlers, keys, requestTimeout } = options
  const backend = await backendOf(document, steps)
  const operations = new Map(backend.getOperations().map((each) => [each.operationId!, each]))
  const rules = new Map(Array.from(operations, ([id, operation]) => [id, rulesOf(operation)]))
  const matcher = new Matcher([...operations.values()])
  const admissions = openAdmissions()
  const parts = { keys, admissions, answers: new Answers(), requestTimeout }
  const run = (exchange: Exchange): Promise<unknown> =>
    backend
      .handleRequest(exchange.parsed as never, exchange, handlers)
      .finally(() => exchange.release())
  return {
    handle: async (request, response) => {
      if (request.method === 'OPTIONS') return sendOptions(response, matcher.methods(request))
      const match = matcher.match(request.method, request.path)
      const ownRules = rules.get(match.operation.operationId!)!
      const exchange = new HttpExchange([request, response], match, ownRules, parts)
      // A request that was answered 504 holds its slot until its work ends.
      await exchange.deadline.enforce(run(exchange))
    },
    call: async (id, input, by) => {
      const operation = operations.get(id)!
      const exchange = new InnerExchange(operation, input, by, rules.get(id)!, admissions)
      return (await run(exchange)) as never
    },
    admissions,
  }
}

/** The steps of every request, in this order. The backend validates between the last two. */
const steps = {
  securityHandlers: {
    bearer: (_: Context, exchange: Exchange) => exchange.authenticate(),
  },
  handlers: {
    postSecurityHandler: ({ security, operation }: Context, exchange: Exchange) => {
      const { bearer } = security ?? {}
      if (bearer?.error) throw bearer.error
      return exchange.receive(operation, bearer)
    },
    validationFail: ({ validation }: Context, exchange: Exchange): never => {
      const { unreadable, rules } = exchange
      const errors = (validation.errors ?? []).filter(
        ({ instancePath }) => !unreadable.has(instancePath.split('/', 2)[1] ?? ''),
      )
      const broken = toViolations(errors, rules.body?.schema)
      const violations = [...broken, ...otherViolations(exchange)]
      throw new InvalidRequest(violations.slice(0, maxViolations))
    },
    /** Called for every operation. None is registered by its id, because servers have handlers of their own. */
    notImplemented: (context: Context, exchange: Exchange, handlers: Handlers) => {
      const violations = otherViolations(exchange)
      if (violations.length > 0) throw new InvalidRequest(violations)
      const handler = handlers[context.operation.operationId as keyof Handlers] as AnyHandler
      const make = async () => call(handler, context, exchange)
      const { admission = 'queries' } = exchange.rules
      const read = () => make().catch(asUnavailable)
      return exchange.answer(context.security?.bearer, admission === 'queries' ? read : make)
    },
  },
}

const otherViolations = ({ parsed, rules, unreadable }: Exchange): Violation[] => [
  ...[...unreadable.values()].flat(),
  ...(unreadable.has('path')
    ? []
    : pathMismatches(parsed.requestBody, parsed.params, rules.body?.schema ?? {})),
]

function call(
  handler: AnyHandler,
  { request: validated, security }: Context,
  { deadline }: Exchange,
): Promise<Answer | EventsAnswer> {
  deadline.signal.throwIfAborted()
  const { params: path, query, headers, requestBody: body } = validated
  const caller = security?.bearer
  return handler({ path, query, headers, body, caller, deadline }, anyReply)
}

type AnyHandler = (request: unknown, reply: typeof anyReply) => Promise<Answer | EventsAnswer>

const toAnswer = (status: number, body: unknown, headers = {}): Answer => ({
  status,
  body,
  headers,
})

const anyReply = Object.assign(toAnswer, {
  events: (events: AsyncIterable<ServerEvent>): EventsAnswer => ({ events }),
})
