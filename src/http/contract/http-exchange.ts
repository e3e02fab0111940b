import type { Request, Response } from 'express'
import type { Operation } from 'openapi-backend'
import type { Caller, Keys } from '../../domain/keys.ts'
import type { Answer, EventsAnswer } from '../../handlers/handler.ts'
import { Deadline } from '../../scheduling/deadline.ts'
import { sendAnswer } from '../answer/answer.ts'
import { sendEvents } from '../answer/event-stream.ts'
import type { Admissions, Permit } from './admission.ts'
import type { Answers } from './answers.ts'
import { authenticate } from './authentication.ts'
import type { Exchange, ParsedRequest } from './exchange.ts'
import type { Match } from './matcher.ts'
import type { OperationRules } from '../operations/operation-rules.ts'
import { admit, receive } from './receive.ts'

export type HttpParts = {
  keys: Keys
  admissions: Admissions
  answers: Answers
  /** How long a request may take, in seconds. */
  requestTimeout: number
}

export class HttpExchange implements Exchange {
  readonly request: Request
  readonly response: Response
  readonly parsed: ParsedRequest
  readonly rules: OperationRules
  readonly deadline: Deadline
  permit: Permit | undefined
  readonly #parts: HttpParts

  constructor(
    [request, response]: [Request, Response],
    match: Match,
    rules: OperationRules,
    parts: HttpParts,
  ) {
    this.request = request
    this.response = response
    this.parsed = toParsed(request, match)
    this.rules = rules
    this.deadline = new Deadline(parts.requestTimeout, rules.admission === 'writes')
    this.#parts = parts
    response.locals.operationId = match.operation.operationId
    // Clients that hang up and ask again must not take all slots.
    response.once('close', () => {
      if (!response.writableFinished) this.deadline.abandon()
    })
  }

  authenticate(scopes: string[]): Promise<Caller> {
    return authenticate(this.#parts.keys, this.request.headers.authorization, scopes)
  }

  async receive(operation: Operation, caller: Caller | undefined): Promise<void> {
    const { admissions } = this.#parts
    this.response.locals.keyId = caller?.keyId
    this.permit = caller && admit(this, caller.workspace, admissions)
    await receive(this, operation, caller)
  }

  async answer(
    caller: Caller | undefined,
    make: () => Promise<Answer | EventsAnswer>,
  ): Promise<void> {
    const work = async () => this.#send(await make())
    if (caller === undefined) return work()
    const { answers } = this.#parts
    // Admitted requests are few already, and may wait for a provider.
    return this.rules.admission === undefined
      ? answers.read(caller.workspace, this.response, work)
      : answers.make(caller.workspace, this.response, work)
  }

  release(): void {
    this.permit?.release()
  }

  async #send(answer: Answer | EventsAnswer): Promise<void> {
    const { request, response, rules, deadline } = this
    if ('events' in answer) await sendEvents(response, answer.events, deadline)
    // Past its deadline a request has been answered.
    else if (!response.headersSent) {
      if (rules.admission === 'writes') response.locals.targetId = idOf(answer.body)
      await sendAnswer(request, response, answer)
    }
  }
}

/** The query and the body are parsed once the key is checked. */
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

/** The id of a changed resource for the log. Callers write none of these ids. */
const idOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined
