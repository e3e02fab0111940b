import { type Call, named, unchecked } from './drive.ts'
import { client } from './hey-api-zod.gen/client.gen.ts'
import * as service from './hey-api-zod.gen/sdk.gen.ts'

/** Operations of the server at an address by hey-api; zod checks requests and answers. */
export const callOf = (baseUrl: string): Call => {
  client.setConfig({ baseUrl, auth: process.env.API_KEY!, throwOnError: true })
  return async (operationId, input) =>
    (await named(service)[operationId]!({ ...input, ...unchecked(operationId) })).data
}
