import type { Request, Response } from 'express'
import { type Context, OpenAPIBackend, type Operation } from 'openapi-backend'
import type { Caller, Keys } from '../domain/keys.ts'
import { InvalidRequest, ServiceError } from '../errors.ts'
import type { Answer, Handlers } from '../handlers/handler.ts'
import { send } from './answer.ts'
import { authenticate } from './authentication.ts'
import { readBody } from './body.ts'
import { Matcher } from './matcher.ts'
import { createAjvFactory, toViolations } from './validation.ts'

/** The contract as an OpenAPI 3.1 document, freshly parsed: it is resolved in place. */
export type ContractDocument = NonNullable<OpenAPIBackend['document']>

/** Takes a request through the contract: match, authenticate, read, validate, call, answer. */
export type Contract = (request: Request, response: Response) => Promise<void>

type Exchange = { request: Request; response: Response; api: MatchedRequest }
type MatchedRequest = {
  method: string
  path: string
  headers: Record<string, string | string[]>
  query: Record<string, string | string[]>
  params: Record<string, string>
  cookies: Record<string, string>
  body?: unknown
  operation: Operation
}

/** Its own check knows OpenAPI 3.0 only; the document is linted before it gets here. */
class Backend extends OpenAPIBackend {
  override validateDefinition(): typeof this.document {
    return this.document
  }
}

/** @throws when the document and the handlers do not belong together, or a schema does not compile */
export async function openContract(
  document: ContractDocument,
  handlers: Handlers,
  keys: Keys,
): Promise<Contract> {
  const backend = new Backend({
    definition: document,
    strict: true,
    coerceTypes: true,
    customizeAjv: createAjvFactory(),
    securityHandlers: {
      bearer: ({ operation }: Context, { request }: Exchange) =>
        authenticate(keys, request.headers.authorization, scopesOf(operation)),
    },
    handlers: {
      postSecurityHandler: readAuthenticated,
      validationFail: ({ validation }: Context) => {
        throw new InvalidRequest(toViolations(validation.errors ?? []))
      },
      unauthorizedHandler: unreachable,
      notFound: unreachable,
      methodNotAllowed: unreachable,
      notImplemented: unreachable,
    },
  })
  await backend.init()
  for (const [operationId, handler] of Object.entries(handlers)) {
    backend.register(operationId, (context: Context, exchange: Exchange) =>
      call(handler as AnyHandler, context, exchange),
    )
  }
  const matcher = new Matcher(backend.router.getOperations())
  // The request is matched and taken apart once, here; openapi-backend would do it three times.
  backend.router.matchOperation = (api) => (api as MatchedRequest).operation
  backend.router.parseRequest = (api) => ({ ...(api as MatchedRequest), requestBody: api.body })
  return async (request, response) => {
    const api = toApiRequest(request, matcher)
    await backend.handleRequest(api, { request, response, api } satisfies Exchange)
  }
}

type AnyHandler = (request: unknown, reply: typeof toAnswer, caller: Caller) => Promise<Answer>

function toApiRequest(request: Request, matcher: Matcher): MatchedRequest {
  const { method, path, url, headers } = request
  const { operation, params } = matcher.match(method, path)
  return {
    method: operation.method,
    path,
    params,
    query: toQuery(url.split('?').slice(1).join('?')),
    headers: headers as MatchedRequest['headers'],
    cookies: {},
    operation,
  }
}

/** A parameter that stands there several times becomes a list, which no schema of ours takes. */
function toQuery(search: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  const parameters = new URLSearchParams(search)
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name)
    query[name] = values.length === 1 ? values[0]! : values
  }
  return query
}

/** The scopes beside `bearer`: OpenAPI 3.1 calls them roles. */
const scopesOf = ({ security }: Operation): string[] =>
  security?.flatMap((requirement) => requirement.bearer ?? []) ?? []

/** Nothing of the request but its path and headers is looked at before its key. */
async function readAuthenticated(
  { security, operation }: Context,
  { request, response, api }: Exchange,
): Promise<void> {
  if (security?.bearer?.error) throw security.bearer.error
  if (operation.requestBody) api.body = await readBody(request, response)
  api.params = decoded(api.params)
}

function decoded(params: Record<string, string>): Record<string, string> {
  const entries = Object.entries(params).map(([name, value]) => {
    try {
      return [name, decodeURIComponent(value)]
    } catch {
      throw new InvalidRequest([
        { pointer: `/path/${name}`, detail: 'is not percent-encoded UTF-8' },
      ])
    }
  })
  return Object.fromEntries(entries)
}

async function call(
  handler: AnyHandler,
  { request, security }: Context,
  { response }: Exchange,
): Promise<void> {
  const { params: path, query, headers, requestBody: body } = request
  const answer = await handler({ path, query, headers, body }, toAnswer, security?.bearer)
  response.set(answer.headers)
  send(response, answer.status, answer.body)
}

const toAnswer = (status: number, body: unknown, headers = {}): Answer => ({
  status,
  body,
  headers,
})

function unreachable(): never {
  throw new ServiceError('internal', 'Something went wrong on our side.')
}
