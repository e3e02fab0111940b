import type { Operation } from 'openapi-backend'
import type { BodySchema } from './absent-nulls.ts'

/** What the contract says of an operation's body as a whole. */
export type BodyRules = {
  /** The most it may have, as it comes. */
  maxBytes: number
  schema: BodySchema
  /** Whether any JSON object will do, since nothing is read from it. */
  isIgnored: boolean
}

/** @throws when the contract does not say how large the body of an operation may be */
export function bodyRulesOf({ operationId, requestBody }: Operation): BodyRules | undefined {
  if (!requestBody) return undefined
  const { 'x-max-bytes': maxBytes, content } = requestBody as {
    'x-max-bytes'?: number
    content?: Record<string, { schema: BodySchema }>
  }
  const schema = content?.['application/json']?.schema
  if (maxBytes === undefined || !schema) {
    throw new Error(`The contract gives the body of ${operationId} no schema or no x-max-bytes.`)
  }
  return { maxBytes, schema, isIgnored: schema.properties === undefined }
}
