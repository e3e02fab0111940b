import { drive, named } from './drive.ts'
import * as service from './oazapfts.gen.ts'

/** Every operation by the functions that oazapfts makes, which take a required parameter of a query by itself. */
service.defaults.baseUrl = process.env.SERVICE_URL!
service.defaults.headers = { authorization: `Bearer ${process.env.API_KEY}` }
await drive(async (operationId, { path = {}, query = {}, body }) => {
  const input = [...Object.values(path), ...Object.values(query), ...(body ? [body] : [])]
  const { status, data } = await named(service)[operationId]!(...input)
  if (status >= 300) throw new Error(`${operationId}: ${JSON.stringify(data)}`)
  return data
})
