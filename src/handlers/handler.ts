import type { Operations } from '../../generated/operations.gen.ts'
import type { Deadline } from '../process/deadline.ts'
import type { Caller } from '../domain/keys.ts'

type Operation = Operations[keyof Operations]

/** Members with a default in the contract are never absent. */
type Filled<Value, Keys> = Value & Required<Pick<Value, Extract<Keys, keyof Value>>>

/** Header names arrive in lower case. */
type LowerCased<Headers> = { [Name in keyof Headers & string as Lowercase<Name>]: Headers[Name] }

type HandlerRequest<O extends Operation> = {
  path: NonNullable<O['data']['path']>
  query: Filled<NonNullable<O['data']['query']>, O['defaults']['query']>
  headers: O['data'] extends { headers?: infer Headers }
    ? LowerCased<NonNullable<Headers>>
    : unknown
  body: Filled<O['data']['body'], O['defaults']['body']>
  caller: Caller
  deadline: Deadline
}

/** Only `Reply` makes one, checked against the contract. A 200 with a `Content-Type` has a text body, others JSON. */
export type Answer = { status: number; body: unknown; headers: Record<string, string> }

/** An event as it is written. Its data holds its type too. */
export type ServerEvent = { type: string }

/** `done` is the last. A failure becomes an `error` event, or a Problem if no event was sent. */
export type EventsAnswer = { events: AsyncIterable<ServerEvent> }

type Reply<O extends Operation> = {
  <Status extends keyof O['responses'] & number>(
    status: Status,
    body: O['responses'][Status],
    headers?: Record<string, string>,
  ): Answer
  /** Reading stops when the client goes or the deadline ends, as the request's signal says. */
  events(events: AsyncIterable<Exclude<O['events'], { type: 'error' }>>): EventsAnswer
}

export type Handler<O extends Operation> = (
  request: HandlerRequest<O>,
  reply: Reply<O>,
) => Promise<Answer | EventsAnswer>

/** A handler for every operation of the contract: a missing one does not compile. */
export type Handlers = { [Id in keyof Operations]: Handler<Operations[Id]> }

/** The input of an operation, as a request would bring it. `path` is decoded. */
export type CallInput = {
  path?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

export type CalledBy = { caller: Caller; deadline: Deadline }

type Success<O extends Operation> = O['responses'] extends { 200: infer Body } ? Body : never

export type CallOperation = <Id extends keyof Operations>(
  operationId: Id,
  input: CallInput,
  by: CalledBy,
) => Promise<Success<Operations[Id]>>
