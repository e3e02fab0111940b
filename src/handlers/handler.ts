import type { Operations } from '../../generated/operations.gen.ts'
import type { Deadline } from '../scheduling/deadline.ts'
import type { Caller } from '../domain/keys.ts'

type Operation = Operations[keyof Operations]

/** Members with a default in the contract are never absent. */
type Filled<Value, Keys> = Value & Required<Pick<Value, Extract<Keys, keyof Value>>>

/** Header names arrive in lower case. */
type LowerCased<Headers> = { [Name in keyof Headers & string as Lowercase<Name>]: Headers[Name] }

/** A validated request, typed by the contract. */
export type HandlerRequest<O extends Operation> = {
  path: NonNullable<O['data']['path']>
  query: Filled<NonNullable<O['data']['query']>, O['defaults']['query']>
  headers: O['data'] extends { headers?: infer Headers }
    ? LowerCased<NonNullable<Headers>>
    : unknown
  body: Filled<O['data']['body'], O['defaults']['body']>
  caller: Caller
  deadline: Deadline
}

/**
 * Only `Reply` makes one, so that it is checked against the contract. The body of a 200 with a
 * `Content-Type` among its headers is text, sent as it is; any other is JSON.
 */
export type Answer = { status: number; body: unknown; headers: Record<string, string> }

/** An event as it is written: its type names it, and stands in its data too. */
export type ServerEvent = { type: string }

/** `done` is the last. What events throw is told as `error`, or as a Problem where none was sent. */
export type EventsAnswer = { events: AsyncIterable<ServerEvent> }

export type Reply<O extends Operation> = {
  <Status extends keyof O['responses'] & number>(
    status: Status,
    body: O['responses'][Status],
    headers?: Record<string, string>,
  ): Answer
  /** They stop being read when the client goes, or the deadline ends: the request's signal tells. */
  events(events: AsyncIterable<Exclude<O['events'], { type: 'error' }>>): EventsAnswer
}

export type Handler<O extends Operation> = (
  request: HandlerRequest<O>,
  reply: Reply<O>,
) => Promise<Answer | EventsAnswer>

/** A handler for every operation of the contract: a missing one does not compile. */
export type Handlers = { [Id in keyof Operations]: Handler<Operations[Id]> }

/** What an operation takes, as a request would bring it; `path` is decoded. */
export type CallInput = {
  path?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

export type CalledBy = { caller: Caller; deadline: Deadline }

type Success<O extends Operation> = O['responses'] extends { 200: infer Body } ? Body : never

/** Calls an operation as the caller's own request would. @throws ServiceError */
export type CallOperation = <Id extends keyof Operations>(
  operationId: Id,
  input: CallInput,
  by: CalledBy,
) => Promise<Success<Operations[Id]>>
