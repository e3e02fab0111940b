import {
  isJSONRPCRequest,
  ProtocolErrorCode,
  specTypeSchemas,
  type StandardSchemaV1Sync,
} from '@modelcontextprotocol/server'

/** Methods whose wrong params the library reports as an internal error; it reports those of others itself. */
const schemas = new Map<string, StandardSchemaV1Sync>([
  ['initialize', specTypeSchemas.InitializeRequest],
  ['tools/list', specTypeSchemas.ListToolsRequest],
])

/** The answer to a request whose params are wrong; undefined for any other message. */
export function refuseParams(message: unknown): globalThis.Response | undefined {
  if (!isJSONRPCRequest(message)) return undefined
  const issues = schemas.get(message.method)?.['~standard'].validate(message).issues
  if (!issues) return undefined
  const faults = issues.map(
    ({ path = [], message: fault }) => `${path.map(toStep).join('')}: ${fault}`,
  )
  const text = `Invalid params of ${message.method}. ${faults.join('. ')}`
  const error = { code: ProtocolErrorCode.InvalidParams, message: text }
  return Response.json({ jsonrpc: '2.0', id: message.id, error })
}

const toStep = (step: PropertyKey | { key: PropertyKey }): string =>
  `/${String(typeof step === 'object' ? step.key : step)}`
