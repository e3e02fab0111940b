import type { Operations } from '../../generated/operations.gen.ts'
import type { Deadline } from '../deadline.ts'
import type { Caller } from '../domain/keys.ts'

type Operation = Operations[keyof Operations]

/** What the contract fills in when it is absent is never absent here. */
type Filled<Value, Keys> = Value & Required<Pick<Value, Extract<Keys, keyof Value>>>

/** Header names arrive in lower case. */
type LowerCased<Headers> = { [Name in keyof Headers & string as Lowercase<Name>]: Headers[Name] }

/** A validated request: its parts as the contract types them, who sent it, and how long it may take. */
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

/** What a handler answers with; made by `Reply` alone, so that it is checked against the contract. */
export type Answer = { status: number; body: unknown; headers: Record<string, string> }

/** Answers with a status the contract knows for the operation, and the body that belongs to it. */
export type Reply<O extends Operation> = <Status extends keyof O['responses'] & number>(
  status: Status,
  body: O['responses'][Status],
  headers?: Record<string, string>,
) => Answer

/** One operation; the caller's key has its scopes. */
export type Handler<O extends Operation> = (
  request: HandlerRequest<O>,
  reply: Reply<O>,
) => Promise<Answer>

/** A handler for every operation of the contract: one missing does not compile. */
export type Handlers = { [Id in keyof Operations]: Handler<Operations[Id]> }
