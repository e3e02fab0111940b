import type { ErrorObject } from 'ajv'
import type { Violation } from '../../generated/types.gen.ts'

/** As many as the contract lets a Problem name. */
export const maxViolations = 1_000
const longestMember = 256

/** What the validator complained of, each with a pointer as the contract's `Violation` describes. */
export const toViolations = (errors: ErrorObject[]): Violation[] =>
  errors.slice(0, maxViolations).map((error) => ({
    pointer: (error.instancePath + memberOf(error)).replace(/^\/requestBody/, ''),
    detail: detailOf(error),
  }))

/** A missing or unknown member is named itself, not the object it is missing from or found in. */
function memberOf({ params }: ErrorObject): string {
  const member: unknown = params.missingProperty ?? params.additionalProperty
  return typeof member === 'string' ? `/${escapePointer(member)}` : ''
}

/** A member's name in a JSON pointer; cut when it is longer than any name of the contract. */
export const escapePointer = (member: string): string =>
  (member.length > longestMember ? `${member.slice(0, longestMember)}…` : member)
    .toWellFormed()
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')

function detailOf({ keyword, params, message = 'is not valid' }: ErrorObject): string {
  if (keyword === 'required') return 'is required'
  if (keyword === 'additionalProperties') return 'is not known here'
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`
  if (keyword === 'pattern' && params.pattern === '\\S') return 'must not be only white space'
  return message
}
