import { QueryClient } from '@tanstack/react-query'
import { drive, unchecked } from './drive.ts'
import * as options from './hey-api-query.gen/@tanstack/react-query.gen.ts'
import { client } from './hey-api-query.gen/client.gen.ts'

/** Every operation by the options that hey-api makes for TanStack Query; valibot checks what is sent and got. */
client.setConfig({ baseUrl: process.env.SERVICE_URL!, auth: process.env.API_KEY! })
const queries = new QueryClient()
await drive(async (operationId, input) => {
  const query = Object.entries(options).find(([name]) => name === `${operationId}Options`)
  if (query) return queries.fetchQuery((query[1] as Function)(input))
  const mutation = (options as Record<string, unknown>)[`${operationId}Mutation`] as Function
  return queries
    .getMutationCache()
    .build(queries, mutation())
    .execute({ ...input, ...unchecked(operationId) })
})
