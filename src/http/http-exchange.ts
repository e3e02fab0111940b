import type { Request, Response } from 'express'
import type { Operation } from 'openapi-backend'
import type { Violation } from '../../generated/types.gen.ts'
import type { Caller, Keys } from '../domain/keys.ts'
import { InvalidRequest } from '../errors/errors.ts'
import type { Answer, EventsAnswer } from '../handlers/handler.ts'
import { Deadline } from '../process/deadline.ts'
import { nextTurn } from '../process/fair-shares.ts'
import { type Admissions, announcedBytes, type Answers, type Permit } from './admission.ts'
import { prefixOf, sendAnswer } from './answer.ts'
import { deprecationHeaders, type Deprecations, usedDeprecations } from './body/body-rules.ts'
import { readBody } from './body/body.ts'
import { sendEvents } from './event-stream.ts'
import {
  abandonOnClose,
  authenticate,
  checkScopes,
  type Exchange,
  type ParsedRequest,
  toParsed,
} from './exchange.ts'
import { checkJsonLimits } from './json-limits.ts'
import { type Match, decodePath, readQuery } from './request-target.ts'
import type { OperationRules } from './operation-rules.ts'

type HttpParts = {
  keys: Keys
  admissions: Admissions
  answers: Answers
  requestTimeout: number
}

export class HttpExchange implements Exchange {
  readonly request: Request
  readonly response: Response
  readonly parsed: ParsedRequest
  readonly rules: OperationRules
  readonly deadline: Deadline
  readonly unreadable = new Map<string, Violation[]>()
  readonly #parts: HttpParts
  #permit: Permit | undefined

  constructor(
    [request, response]: [Request, Response],
    match: Match,
    rules: OperationRules,
    parts: HttpParts,
  ) {
    this.request = request
    this.response = response
    const headers = request.headers as ParsedRequest['headers']
    // The query and the body are parsed once the key is checked.
    this.parsed = { ...toParsed(match.operation, match.params), path: request.path, headers }
    this.rules = rules
    this.deadline = new Deadline(parts.requestTimeout, rules.admission === 'writes')
    this.#parts = parts
    response.locals.operationId = match.operation.operationId
    abandonOnClose(this.deadline, response)
  }

  async authenticate(): Promise<Caller> {
    const caller = await authenticate(this.#parts.keys, this.request.headers.authorization)
    this.response.locals.keyId = caller.keyId
    checkScopes(caller, this.rules.scopes)
    return caller
  }

  async receive(operation: Operation, caller: Caller | undefined): Promise<void> {
    const { request, response, parsed, rules, deadline } = this
    const permit = caller && this.#admit(caller.workspace)
    this.#permit = permit
    if (rules.body) {
      const onBytes = (bytes: number) => permit?.takeBytes(bytes)
      const onEnd = () => deadline.start()
      parsed.requestBody = await readBody(request, response, rules.body, onBytes, onEnd)
      if (rules.body.deprecations) this.#setDeprecationHeaders(operation, rules.body.deprecations)
    }
    permit?.takePlace()
    // Operations without a key have no query, so none is checked.
    if (caller) this.#read('query', () => (parsed.query = readQuery(request.url, operation)))
    this.#read('path', () => (parsed.params = decodePath(parsed.params)))
    if (caller) this.#read('conditions', () => checkPreconditions(request.headers, operation))
    deadline.start()
    if (rules.admission === 'writes' && rules.body?.kind === 'json') {
      await checkJsonLimits(rules.body.schema, parsed.requestBody)
    }
    // All requests that come together are admitted or refused before the second one's work begins.
    if (rules.admission && caller) await nextTurn(caller.workspace)
  }

  /** Keeps violations, so that one answer names them together with those of the validator. */
  #read(part: string, read: () => void): void {
    try {
      read()
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error
      this.unreadable.set(part, error.violations)
    }
  }

  async answer(
    caller: Caller | undefined,
    make: () => Promise<Answer | EventsAnswer>,
  ): Promise<void> {
    const work = async () => this.#send(await make())
    if (caller === undefined) return work()
    const { answers } = this.#parts
    // The number of admitted requests is limited already, and they may wait for a provider.
    return this.rules.admission === undefined
      ? answers.read(caller.workspace, this.response, work)
      : answers.make(caller.workspace, this.response, work)
  }

  release(): void {
    this.#permit?.release()
  }

  #admit(workspace: string): Permit | undefined {
    const { admission, body } = this.rules
    const announced = announcedBytes(this.request, body?.maxBytes ?? 0)
    return admission && this.#parts.admissions[admission].admit(workspace, announced)
  }

  /** Runs before the validator fills in absent members. */
  #setDeprecationHeaders(
    { tags: [tag = ''] = [], operationId = '' }: Operation,
    deprecations: Deprecations,
  ): void {
    const used = usedDeprecations(deprecations, this.parsed.requestBody)
    const docs = `${prefixOf(this.request.headers)}/docs#/${tag}/${operationId}`
    this.response.locals.deprecated = used
    this.response.set(deprecationHeaders(deprecations, used, docs))
  }

  async #send(answer: Answer | EventsAnswer): Promise<void> {
    const { request, response, rules, deadline } = this
    if ('events' in answer) await sendEvents(response, answer.events, deadline)
    // A request whose deadline has ended is answered already.
    else if (!response.headersSent) {
      if (rules.admission === 'writes') {
        const { id, datastoreId } = this.parsed.params
        response.locals.targetId = idOf(answer.body) ?? id ?? datastoreId
      }
      await sendAnswer(request, response, answer)
    }
  }
}

/** Refuses conditions that the operation does not support (RFC 9110, 13.1). @throws InvalidRequest */
function checkPreconditions(
  headers: Request['headers'],
  { method, parameters = [] }: Operation,
): void {
  const supported = new Set(
    parameters.flatMap((each) => ('name' in each ? each.name.toLowerCase() : [])),
  )
  const unsupported = (method === 'get' ? ['if-match'] : ['if-match', 'if-none-match']).filter(
    (name) => headers[name] !== undefined && !supported.has(name),
  )
  if (unsupported.length === 0) return
  const detail = 'is not taken by this operation; leave it out'
  throw new InvalidRequest(unsupported.map((name) => ({ pointer: `/header/${name}`, detail })))
}

/** The id of what was changed, for the log. Callers write none of these ids. */
const idOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined
