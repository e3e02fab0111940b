import type { Operations } from '../../generated/operations.gen.ts'
import type { Scope } from '../../generated/types.gen.ts'
import type { Datastore } from '../domain/datastores.ts'
import type { CalledBy, CallOperation } from '../handlers/handler.ts'
import type { Arguments } from './arguments.ts'
import type { ReadableDatastores } from './readable-datastores.ts'

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
  /** A sentence after the description that says what is there now, such as the datastores. */
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

export const named = ({ id, value }: Datastore) => ({ id, name: value.name })
