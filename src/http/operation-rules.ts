import type { Operation } from 'openapi-backend'
import { type BodyRules, bodyRulesOf } from './body/body-rules.ts'

export type AdmissionKind = 'writes' | 'queries' | 'questions'

export type OperationRules = {
  scopes: string[]
  body: BodyRules | undefined
  /** Undefined for reads by id or in pages, which cost little. */
  admission: AdmissionKind | undefined
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
