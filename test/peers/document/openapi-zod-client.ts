import { type Call, drive, named } from './drive.ts'
import { createApiClient } from './openapi-zod-client/client.gen.ts'

/** Every operation by the client that openapi-zod-client makes, whose zod schemas check what is sent and got. */
const headers = { Authorization: `Bearer ${process.env.API_KEY}` }
const service = createApiClient(process.env.SERVICE_URL!, { axiosConfig: { headers } })
const call: Call = (operationId, { path, query, body }) => {
  const config = { params: path, queries: query }
  const { method } = service.api.find(({ alias }) => alias === operationId)!
  return named(service)[operationId]!(...(method === 'get' ? [] : [body]), config)
}
// It cannot check a filter, and throws.
await drive(call, { filters: {} })
