import type { ServerResponse } from 'node:http'
import type { Operation } from 'openapi-backend'
import type { Violation } from '../../generated/types.gen.ts'
import type { Caller, Keys } from '../domain/keys.ts'
import { InsufficientScope, Unauthenticated } from '../errors/errors.ts'
import { asUnavailable } from '../errors/store-unreachable.ts'
import type { Answer, EventsAnswer, CalledBy, CallInput } from '../handlers/handler.ts'
import type { Deadline } from '../process/deadline.ts'
import type { Admissions, Permit } from './admission.ts'
import type { OperationRules } from './operation-rules.ts'
import type { Query } from './request-target.ts'

/** A request on its way through the contract, from HTTP or from inside. */
export type Exchange = {
  readonly parsed: ParsedRequest
  readonly rules: OperationRules
  readonly deadline: Deadline
  /** The violations of parts of the request that could not be read, by the name of the part. */
  readonly unreadable: ReadonlyMap<string, Violation[]>
  /** @throws Unauthenticated, InsufficientScope */
  authenticate(): Promise<Caller>
  /** Admits the request and reads the rest of it. Without a caller no key is needed. @throws ServiceError */
  receive(operation: Operation, caller: Caller | undefined): Promise<void>
  /** Makes the answer once there is room for it, and hands it over. @throws ServiceError */
  answer(caller: Caller | undefined, make: () => Promise<Answer | EventsAnswer>): Promise<unknown>
  release(): void
}

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

export const toParsed = (operation: Operation, params: Record<string, string>): ParsedRequest => ({
  operation,
  method: operation.method,
  path: operation.path,
  headers: {},
  params,
  query: {},
  cookies: {},
  requestBody: undefined,
})

/** A call from inside, with a JSON answer. Its caller holds a query slot for all calls of one request. */
export class InnerExchange implements Exchange {
  readonly parsed: ParsedRequest
  readonly rules: OperationRules
  readonly deadline: Deadline
  readonly unreadable = new Map<string, Violation[]>()
  readonly #caller: Caller
  readonly #admissions: Admissions
  #permit: Permit | undefined

  constructor(
    operation: Operation,
    input: CallInput,
    { caller, deadline }: CalledBy,
    rules: OperationRules,
    admissions: Admissions,
  ) {
    const { path = {}, query = {}, body } = input
    // Validation fills in defaults, so the body is a copy.
    const copied = { query: { ...query }, requestBody: structuredClone(body) }
    this.parsed = { ...toParsed(operation, path), ...copied }
    this.rules = rules
    this.deadline = deadline
    this.#caller = caller
    this.#admissions = admissions
  }

  async authenticate(): Promise<Caller> {
    checkScopes(this.#caller, this.rules.scopes)
    return this.#caller
  }

  async receive(): Promise<void> {
    const { admission } = this.rules
    if (admission === undefined || admission === 'queries') return
    this.#permit = this.#admissions[admission].admit(this.#caller.workspace, 0)
    this.#permit.takePlace()
  }

  async answer(_: Caller | undefined, make: () => Promise<Answer | EventsAnswer>) {
    const answer = await make()
    if ('events' in answer) throw new Error(`${this.parsed.path} answered with events.`)
    return answer.body
  }

  release(): void {
    this.#permit?.release()
  }
}

/** Clients that hang up and ask again must not take all slots. */
export function abandonOnClose(deadline: Deadline, response: ServerResponse): void {
  response.once('close', () => {
    if (!response.writableFinished) deadline.abandon()
  })
}

/** RFC 6750, with keys as long as INITIAL_KEY may be. */
const bearer = /^Bearer +(?<key>[A-Za-z0-9._~+/-]{1,256}=*)$/i

/** The caller that an Authorization header names. @throws Unauthenticated */
export async function authenticate(keys: Keys, authorization: string | undefined): Promise<Caller> {
  if (authorization === undefined) throw new Unauthenticated(true)
  const key = bearer.exec(authorization)?.groups?.key
  if (key === undefined) throw new Unauthenticated(false, faultOf(authorization))
  const caller = await keys.verify(key).catch(asUnavailable)
  if (!caller) throw new Unauthenticated(false)
  return caller
}

/** @throws InsufficientScope */
export function checkScopes(caller: Caller, scopes: readonly string[]): void {
  const held = new Set<string>(caller.scopes)
  const missing = scopes.filter((scope) => !held.has(scope))
  if (missing.length > 0) throw new InsufficientScope(missing)
}

/** Quotes nothing of the header, which may hold a key. */
function faultOf(authorization: string): string {
  if (/^Bearer +Bearer\b/i.test(authorization)) {
    return 'Authorization says Bearer twice. Where a tool adds it, give the tool the key alone.'
  }
  return 'Authorization must be the word Bearer, a space, and the key as it was printed.'
}
