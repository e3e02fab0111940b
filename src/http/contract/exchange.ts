import type { Operation } from 'openapi-backend'
import type { Caller } from '../../domain/keys.ts'
import type { Answer, EventsAnswer } from '../../handlers/handler.ts'
import type { Deadline } from '../../scheduling/deadline.ts'
import type { OperationRules } from '../operations/operation-rules.ts'
import type { Query } from './parameters.ts'

/** A request on its way through the contract, from HTTP or from inside. */
export type Exchange = {
  readonly parsed: ParsedRequest
  readonly rules: OperationRules
  readonly deadline: Deadline
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
