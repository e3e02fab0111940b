import type { Request, Response } from 'express'
import type { Context, OpenAPIBackend, Operation } from 'openapi-backend'
import type { Violation } from '../../generated/types.gen.ts'
import { Deadline } from '../deadline.ts'
import type { Keys } from '../domain/keys.ts'
import { InvalidRequest } from '../errors.ts'
import type { Answer, Handlers } from '../handlers/handler.ts'
import { nextTurn } from '../scheduling/turns.ts'
import { Admission, type AdmissionKind, type Admitted } from './admission.ts'
import { send, sendEncoded } from './answer.ts'
import { authenticate } from './authentication.ts'
import { Backend, createValidator } from './backend.ts'
import { prefixOf } from './base.ts'
import { type BodyRules, bodyRulesOf } from './body-rules.ts'
import { readBody } from './body.ts'
import { hasAlready } from './if-none-match.ts'
import { Matcher } from './matcher.ts'
import { sendOptions } from './options.ts'
import { decodePath, readQuery } from './parameters.ts'
import { type ParsedRequest, parseRequest } from './parsed-request.ts'
import { checkPreconditions } from './preconditions.ts'
import { unlikePath } from './same-as-path.ts'
import { maxViolations, toViolations } from './violations.ts'

/** The contract as an OpenAPI 3.1 document, freshly parsed: it is resolved in place. */
export type ContractDocument = NonNullable<OpenAPIBackend['document']>

/** Takes a request through the contract: match, authenticate, read, validate, call, answer. */
export type Contract = (request: Request, response: Response) => Promise<void>

export type ContractOptions = {
  document: ContractDocument
  handlers: Handlers
  keys: Keys
  /** How long a request may take, in seconds. */
  requestTimeout: number
}

/** What goes with a request through openapi-backend; `parsed` is the request it validates. */
type Exchange = {
  request: Request
  response: Response
  deadline: Deadline
  parsed: ParsedRequest
  /** Undefined where the operation takes no body. */
  bodyRules: BodyRules | undefined
  admissions: Record<AdmissionKind, Admission>
  admitted?: Admitted | undefined
}

/** @throws when the document and the handlers do not belong together, or a schema does not compile */
export async function openContract(options: ContractOptions): Promise<Contract> {
  const { document, handlers, keys, requestTimeout } = options
  const backend = new Backend({
    definition: document,
    strict: true,
    // Its validator compiles every answer's schema too, which nobody asks for and takes most of the start.
    validate: false,
    securityHandlers: {
      bearer: ({ operation }: Context, { request }: Exchange) =>
        authenticate(keys, request.headers.authorization, scopesOf(operation)),
    },
    handlers: {
      postSecurityHandler: readAuthenticated,
      validationFail: ({ validation }: Context, exchange: Exchange) => {
        const violations = [...toViolations(validation.errors ?? []), ...displaced(exchange)]
        throw new InvalidRequest(violations.slice(0, maxViolations))
      },
      unauthorizedHandler: unreachable,
      notFound: unreachable,
      methodNotAllowed: unreachable,
      notImplemented: unreachable,
    },
  })
  const admissions = { writes: new Admission('writes'), queries: new Admission('queries') }
  await backend.init()
  backend.validator = createValidator(backend)
  backend.validate = true
  for (const [operationId, handler] of Object.entries(handlers)) {
    backend.register(operationId, (context: Context, exchange: Exchange) =>
      call(handler as AnyHandler, context, exchange),
    )
  }
  const operations = backend.router.getOperations()
  const matcher = new Matcher(operations)
  const rules = new Map(operations.map((some) => [some.operationId, bodyRulesOf(some)]))
  // The request is matched and taken apart once, here; openapi-backend would do it three times.
  backend.router.matchOperation = (parsed) => (parsed as ParsedRequest).operation
  backend.router.parseRequest = (parsed) => parsed as ParsedRequest as never
  return async (request, response) => {
    if (request.method === 'OPTIONS') return sendOptions(response, matcher.methods(request))
    const parsed = parseRequest(request, matcher)
    response.locals.operationId = parsed.operation.operationId
    const isWrite = kindOf(parsed.operation) === 'writes'
    const deadline = new Deadline(requestTimeout, isWrite)
    const bodyRules = rules.get(parsed.operation.operationId)
    const exchange: Exchange = { request, response, deadline, parsed, bodyRules, admissions }
    // Else who hangs up at once, and asks again, takes everybody's place.
    if (!isWrite) {
      response.once('close', () => {
        if (!response.writableFinished) deadline.abandon()
      })
    }
    // What is answered for as too late is held until it is done.
    const work = backend.handleRequest(parsed as never, exchange)
    await deadline.enforce(work.finally(() => exchange.admitted?.leave()))
  }
}

type AnyHandler = (request: unknown, reply: typeof toAnswer) => Promise<Answer>

/** The scopes beside `bearer`: OpenAPI 3.1 calls them roles. */
const scopesOf = ({ security }: Operation): string[] =>
  security?.flatMap((requirement) => requirement.bearer ?? []) ?? []

/** What is only read by its id or in pages costs too little to be counted. */
function kindOf(operation: Operation): AdmissionKind | undefined {
  if (operation.method === 'get') return undefined
  return scopesOf(operation).every((scope) => scope.endsWith(':read')) ? 'queries' : 'writes'
}

/** How long a body is, as far as the request says. */
const announced = ({ headers }: Request, maxBytes = 0): number =>
  Math.min(Number(headers['content-length'] ?? 0), maxBytes)

/** Nothing of the request but its path and headers is looked at before its key. */
async function readAuthenticated(
  { security, operation }: Context,
  exchange: Exchange,
): Promise<void> {
  const { request, response, parsed, bodyRules, deadline, admissions } = exchange
  if (security?.bearer?.error) throw security.bearer.error
  response.locals.keyId = security?.bearer?.keyId
  const kind = kindOf(operation)
  const admitted = kind && admissions[kind].enter(announced(request, bodyRules?.maxBytes))
  exchange.admitted = admitted
  if (bodyRules) {
    const take = (bytes: number) => admitted?.takeBytes(bytes)
    parsed.requestBody = await readBody(request, response, bodyRules, take)
  }
  admitted?.takePlace()
  // Without a key nobody is told what is wrong with a query, and health takes none.
  if (security?.bearer) parsed.query = readQuery(request.url, operation)
  parsed.params = decodePath(parsed.params)
  if (security?.bearer) checkPreconditions(request.headers, operation)
  deadline.start()
  // Of many that come together the last is refused before more than the first is worked on.
  if (kind === 'queries') await nextTurn()
}

const displaced = ({ parsed, bodyRules }: Exchange): Violation[] =>
  bodyRules?.isIgnored ? [] : unlikePath(parsed.requestBody, parsed.params)

async function call(
  handler: AnyHandler,
  { request, security }: Context,
  exchange: Exchange,
): Promise<void> {
  const { request: asked, response, deadline } = exchange
  const violations = displaced(exchange)
  if (violations.length > 0) throw new InvalidRequest(violations)
  const { params: path, query, headers, requestBody: body } = request
  const caller = security?.bearer
  const answer = await handler({ path, query, headers, body, caller, deadline }, toAnswer)
  // One that comes after its deadline was answered for.
  if (response.headersSent) return
  response.status(answer.status).set(withPrefix(answer.headers, prefixOf(asked.headers)))
  // An agent's strong tag is of these bytes; the size of what holds a new key must not tell of it.
  if (answer.status !== 200 || answer.headers.ETag) sendUnlessKnown(asked, response, answer)
  else await sendEncoded(asked, response, answer.body)
}

/** A `Location` leads back through the proxy that the request came through. */
const withPrefix = ({ Location, ...headers }: Answer['headers'], prefix: string) =>
  Location === undefined ? headers : { ...headers, Location: prefix + Location }

function sendUnlessKnown(request: Request, response: Response, { status, body }: Answer): void {
  const etag = response.get('ETag')
  if (etag && hasAlready(request, etag)) response.status(304).end()
  else send(response, status, body)
}

const toAnswer = (status: number, body: unknown, headers = {}): Answer => ({
  status,
  body,
  headers,
})

function unreachable(): never {
  throw new Error('openapi-backend took a way that is closed.')
}
