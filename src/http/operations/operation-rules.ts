import type { Operation } from 'openapi-backend'
import type { BodySchema } from './body-schema.ts'
import { type Deprecations, deprecationsOf } from './deprecations.ts'

export type AdmissionKind = 'writes' | 'queries' | 'questions'

export type OperationRules = {
  scopes: string[]
  body: BodyRules | undefined
  /** Undefined for reads by id or in pages, which cost little. */
  admission: AdmissionKind | undefined
}

export type BodyRules = {
  maxBytes: number
  schema: BodySchema
  deprecations?: Deprecations
  isIgnored: boolean
  kind: 'json' | 'form' | 'file'
}

export function rulesOf(operation: Operation): OperationRules {
  const scopes = scopesOf(operation)
  return { scopes, body: bodyRulesOf(operation), admission: admissionOf(operation, scopes) }
}

/** OpenAPI 3.1 calls the scopes of `bearer` roles. */
const scopesOf = ({ security }: Operation): string[] =>
  security?.flatMap((requirement) => requirement.bearer ?? []) ?? []

function admissionOf({ method }: Operation, scopes: string[]): AdmissionKind | undefined {
  if (method === 'get') return undefined
  if (scopes.includes('agents:query')) return 'questions'
  return scopes.every((scope) => scope.endsWith(':read')) ? 'queries' : 'writes'
}

function bodyRulesOf({ operationId, requestBody }: Operation): BodyRules | undefined {
  if (!requestBody) return undefined
  const { 'x-max-bytes': maxBytes, content } = requestBody as {
    'x-max-bytes'?: number
    content?: Record<string, { schema: BodySchema }>
  }
  const schema = content?.['application/json']?.schema
  if (maxBytes === undefined || !schema) {
    throw new Error(`The contract gives the body of ${operationId} no schema or no x-max-bytes.`)
  }
  const isIgnored = schema.properties === undefined
  const deprecations = deprecationsOf(schema)
  return {
    maxBytes,
    schema,
    ...(deprecations.size > 0 && { deprecations }),
    isIgnored,
    kind: kindOf(content),
  }
}

function kindOf(content: object = {}): BodyRules['kind'] {
  if ('multipart/form-data' in content) return 'form'
  return 'application/octet-stream' in content ? 'file' : 'json'
}
