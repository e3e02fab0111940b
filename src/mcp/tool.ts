import type { Operations } from '../../generated/operations.gen.ts'
import type { Scope } from '../../generated/types.gen.ts'
import type { Datastore } from '../domain/datastores.ts'
import type { CalledBy, CallOperation } from '../handlers/handler.ts'
import { InvalidRequest } from '../errors/errors.ts'
import { wrong } from './chosen-by-name.ts'
import type { ReadableDatastores } from './readable-datastores.ts'

/** As they came: tools and operations check them. */
export type Arguments = Record<string, unknown>

export type ToolContext = {
  call: CallOperation
  by: CalledBy
  base: string
  datastores: ReadableDatastores
}

/** What a tool does. Its description is that of its operation in the contract. */
export type Tool = {
  operationId: keyof Operations
  /** Whether the endpoint of one datastore offers it, too. */
  isForOneDatastore: boolean
  isReadOnly: boolean
  /** The result, as JSON. @throws ServiceError */
  run(args: Arguments, context: ToolContext): Promise<Record<string, unknown>>
  /** What is there now, in a line after the description. */
  note?(context: ToolContext): Promise<string>
}

export type InputSchema = {
  type: 'object'
  additionalProperties: false
  required: string[]
  properties: Record<string, Record<string, unknown>>
}

export type DefinedTool = Tool & {
  name: string
  title: string
  description: string
  inputSchema: InputSchema
  scopes: Scope[]
  maxBodyBytes: number
}

/** @throws InvalidRequest */
export function requireText(args: Arguments, member: string): string {
  const value = args[member]
  if (typeof value === 'string' && value !== '') return value
  throw wrong(member, value === undefined ? 'is required' : 'must be a string that is not empty')
}

/** An assistant may have read in a document what to send, so nothing is passed on unseen. @throws InvalidRequest */
export function refuseOthers(args: Arguments, ...known: string[]): void {
  refuse(args, (name) => !known.includes(name))
}

/** @throws InvalidRequest */
export function refuse(args: Arguments, isRefused: (name: string) => boolean): void {
  const refused = Object.keys(args).filter(isRefused)
  const violations = refused.map((name) => ({ pointer: `/${name}`, detail: 'is not known here' }))
  if (violations.length > 0) throw new InvalidRequest(violations)
}

export const named = ({ id, value }: Datastore) => ({ id, name: value.name })
