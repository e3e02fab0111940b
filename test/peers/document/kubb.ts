import { setConfig } from '@kubb/plugin-client/clients/axios'
import { type Call, drive, named } from './drive.ts'
import * as service from './kubb.gen/index.ts'

/** Every operation by the functions that kubb makes, whose zod schemas check what is sent and got. */
setConfig({
  baseURL: process.env.SERVICE_URL!,
  headers: { Authorization: `Bearer ${process.env.API_KEY}` },
})
const call: Call = (operationId, { path, query, body }) =>
  named(service)[operationId]!({ ...path, params: query, data: body })
// It escapes no part of a path.
await drive(call, { key: 'opening-hours' })
