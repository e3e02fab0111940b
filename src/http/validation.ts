import type { Options } from 'openapi-backend'
import type { ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Violation } from '../../generated/types.gen.ts'
import { addJsonLimits } from './json-limits.ts'

/**
 * The validator of the contract's dialect, for openapi-backend's `customizeAjv`: JSON Schema
 * 2020-12, where a keyword it does not know is an error at start. It fills in defaults.
 */
export function createAjvFactory(): NonNullable<Options['customizeAjv']> {
  const made = new Map<unknown, Ajv2020>()
  return (_shipped, options, context) => {
    const ajv = made.get(context) ?? createAjv(options)
    made.set(context, ajv)
    return ajv
  }
}

function createAjv(options: ConstructorParameters<typeof Ajv2020>[0]): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
    useDefaults: true,
  })
  addFormats.default(ajv)
  ajv.addVocabulary(['discriminator', 'example', 'xml', 'externalDocs'])
  addJsonLimits(ajv)
  return ajv
}

/** What the validator complained of, each with a pointer as the contract's `Violation` describes. */
export const toViolations = (errors: ErrorObject[]): Violation[] =>
  errors.map((error) => ({
    pointer: (error.instancePath + memberOf(error)).replace(/^\/requestBody/, ''),
    detail: detailOf(error),
  }))

/** A missing or unknown member is named itself, not the object it is missing from or found in. */
function memberOf({ params }: ErrorObject): string {
  const member: unknown = params.missingProperty ?? params.additionalProperty
  return typeof member === 'string' ? `/${escapePointer(member)}` : ''
}

export const escapePointer = (member: string): string =>
  member.replaceAll('~', '~0').replaceAll('/', '~1')

function detailOf({ keyword, params, message = 'is not valid' }: ErrorObject): string {
  if (keyword === 'required') return 'is required'
  if (keyword === 'additionalProperties') return 'is not known here'
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`
  if (keyword === 'pattern' && params.pattern === '\\S') return 'must not be only white space'
  return message
}
