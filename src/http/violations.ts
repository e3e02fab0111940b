import type { ErrorObject } from 'ajv'
import type { Violation } from '../../generated/types.gen.ts'
import { likeliest } from './did-you-mean.ts'

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

function detailOf({
  keyword,
  params,
  parentSchema = {},
  message = 'is not valid',
}: ErrorObject): string {
  if (keyword === 'required') return 'is required'
  if (keyword === 'additionalProperties') {
    const meant = likeliest(params.additionalProperty, Object.keys(parentSchema.properties ?? {}))
    return meant ? `is not known here; did you mean ${meant}?` : 'is not known here'
  }
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`
  if (keyword === 'multipleOf' && params.multipleOf === 1) return 'must be a whole number'
  if (keyword === 'type') return `must be ${either.format([params.type].flat())}`
  if (keyword === 'pattern') return parentSchema['x-pattern-detail'] ?? message
  return message
}

const either = new Intl.ListFormat('en', { type: 'disjunction' })
