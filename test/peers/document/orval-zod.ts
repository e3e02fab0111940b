import axios from 'axios'
import type { ZodType } from 'zod'
import { type Call, drive, named } from './drive.ts'
import * as schemas from './orval-zod.gen.ts'
import * as service from './orval.gen.ts'

/** Every operation by orval's functions; its zod schemas check what is sent and got. */
axios.defaults.baseURL = process.env.SERVICE_URL!
axios.defaults.headers.common.Authorization = `Bearer ${process.env.API_KEY}`
const all: Record<string, unknown> = schemas
const check = (name: string, value: unknown) =>
  value === undefined ? value : (all[name] as ZodType | undefined)?.parse(value)

const call: Call = async (operationId, { path, query, body }) => {
  const name = operationId.replace(/^./, (letter) => letter.toUpperCase())
  check(`${name}Params`, path)
  check(`${name}QueryParams`, query)
  check(`${name}Body`, body)
  const input = [...Object.values(path ?? {}), ...[body, query].filter((one) => one !== undefined)]
  const { data } = await named(service)[operationId]!(...input)
  return (all[`${name}Response`] as ZodType).parse(data)
}
// It escapes no part of a path.
await drive(call, { key: 'opening-hours' })
