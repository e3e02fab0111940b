import type { Operations } from '../../generated/operations.gen.ts'
import type { Scope } from '../../generated/types.gen.ts'
import type { CalledBy, CallOperation } from '../handlers/handler.ts'
import { InvalidRequest } from '../errors/errors.ts'
import type { ReadDatastores } from './readable.ts'

/** As they came: the operations check them. */
export type Arguments = Record<string, unknown>

export type ToolContext = {
  call: CallOperation
  by: CalledBy
  base: string
  datastores: ReadDatastores
}

/** What a tool does. Its description is that of its operation in the contract. */
export type Tool = {
  operationId: keyof Operations
  /** Whether the endpoint of one datastore has it too. */
  isOfDatastores: boolean
  isReadOnly: boolean
  /** The result, as JSON. @throws ServiceError */
  run(args: Arguments, context: ToolContext): Promise<Record<string, unknown>>
  note?(context: ToolContext): Promise<string>
}

export type DefinedTool = Tool & {
  name: string
  title: string
  description: string
  inputSchema: Record<string, unknown>
  scopes: Scope[]
  maxBodyBytes: number
}

/** @throws InvalidRequest */
export function requireText(args: Arguments, member: string): string {
  const value = args[member]
  if (typeof value === 'string' && value !== '') return value
  const detail = value === undefined ? 'is required' : 'must be a string that is not empty'
  throw new InvalidRequest([{ pointer: `/${member}`, detail }])
}
