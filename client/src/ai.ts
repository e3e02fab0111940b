import { jsonSchema, type Tool, tool } from 'ai'
import type { QueryDatastore, QueryResult } from '../../generated/types.gen.ts'
import type { AgentsDatastores } from './index.ts'

/** A datastore, how it is queried, and how it is described to the model. */
export type DatastoreToolInput = Omit<QueryDatastore, 'query'> & {
  client: AgentsDatastores
  datastoreId: string
  /** What is in the datastore and when to search it. */
  description?: string
}

/**
 * A datastore as a tool of the AI SDK: the model gives the query and gets the fragments. It needs the package
 * `ai`.
 */
export function datastoreTool(input: DatastoreToolInput): Tool<{ query: string }, QueryResult> {
  const {
    client,
    datastoreId,
    description = 'Searches the documents for passages.',
    ...how
  } = input
  return tool({
    description,
    inputSchema: jsonSchema<{ query: string }>({
      type: 'object',
      properties: { query: { type: 'string', description: 'What to look for, in plain words.' } },
      required: ['query'],
      additionalProperties: false,
    }),
    execute: async ({ query }, { abortSignal }) =>
      client.queryDatastore(datastoreId, { ...how, query }, { signal: abortSignal }),
  })
}
