import type { ErrorObject } from 'ajv'
import type { Violation } from '../../generated/types.gen.ts'
import { maxViolations } from '../errors/errors.ts'
import { nearestName } from '../text/nearest-name.ts'
import { type BodySchema, isOptional } from './body/body-rules.ts'
import { escapePointer, Repeated } from './body/json-body.ts'

const maxMisspeltLength = 64
/** Comparing names takes long, and nobody reads more. */
const maxSuggestions = 20

/** A text may break a pattern and a format for the same reason. `schema` is the schema of the body. */
export function toViolations(errors: ErrorObject[], schema: BodySchema = {}): Violation[] {
  const named = withoutAlternatives(withoutTexts(errors)).slice(0, maxViolations)
  const suggested = new Set(named.filter(isUnknown).slice(0, maxSuggestions))
  const violations = named.map((error) => {
    const pointer = (error.instancePath + memberOf(error)).replace(/^\/requestBody/, '')
    if (error.data === null) return { pointer, detail: nullDetailOf(error, pointer, schema) }
    return { pointer, detail: detailOf(error) + (suggested.has(error) ? suggestionFor(error) : '') }
  })
  return [...new Map(violations.map((one) => [`${one.pointer} ${one.detail}`, one])).values()]
}

/** A text that should hold JSON is no object either, which says less. */
function withoutTexts(errors: ErrorObject[]): ErrorObject[] {
  const texts = new Set(errors.filter(isText).map(({ instancePath }) => instancePath))
  return errors.filter((error) => isText(error) || !texts.has(error.instancePath))
}

const isText = ({ keyword }: ErrorObject): boolean => keyword === 'x-json-text'

/** Of alternatives the one of the value's type reports what is wrong. If there is none, all types are named. */
function withoutAlternatives(errors: ErrorObject[]): ErrorObject[] {
  const alternatives = new Set<object>(errors.flatMap(alternativesOf))
  return errors.filter((error) =>
    error.keyword === 'anyOf'
      ? alternativesOf(error).every(({ type }) => type !== typeOf(error.data))
      : error.keyword !== 'type' || !alternatives.has(error.parentSchema ?? {}),
  )
}

type Alternative = { type?: string }

const alternativesOf = ({ keyword, schema }: ErrorObject): Alternative[] =>
  keyword === 'anyOf' ? (schema as Alternative[]) : []

const typeOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value

/** Names a missing or unknown member itself, not the object around it. */
function memberOf({ keyword, params }: ErrorObject): string {
  const tag = keyword === 'discriminator' ? params.tag : undefined
  const member: unknown = params.missingProperty ?? params.additionalProperty ?? tag
  return typeof member === 'string' ? `/${escapePointer(member)}` : ''
}

/** Says which to send, because null and an absent member are the same to many callers. */
function nullDetailOf(error: ErrorObject, pointer: string, schema: BodySchema): string {
  const path = pointer.split('/').slice(1)
  return isOptional(schema, path) ? 'is null; leave it out' : `${detailOf(error)}, not null`
}

function detailOf(error: ErrorObject): string {
  const { keyword, params, data, parentSchema = {}, message = 'is not valid' } = error
  if (keyword === 'required') return 'is required'
  if (data instanceof Repeated) return 'is given more than once'
  if (isUnknown(error)) return 'is not known here'
  if (keyword === 'discriminator') {
    const allowed = (parentSchema.oneOf ?? []).flatMap((one: Tagged) => one.properties.type.enum)
    return params.tagValue === undefined ? 'is required' : `must be one of ${allowed.join(', ')}`
  }
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`
  if (keyword === 'multipleOf' && params.multipleOf === 1) return 'must be a whole number'
  if (keyword === 'anyOf') return mustBe(alternativesOf(error).map(({ type = '' }) => type))
  if (keyword === 'type') return mustBe([params.type].flat())
  if (keyword === 'pattern' || keyword === 'format') {
    return parentSchema['x-pattern-detail'] ?? message
  }
  return message
}

type Tagged = { properties: { type: { enum: string[] } } }

const either = new Intl.ListFormat('en', { type: 'disjunction' })
const mustBe = (types: string[]): string => `must be ${either.format(types.map(withArticle))}`

const withArticle = (type: string): string =>
  type === 'null' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`

const isUnknown = ({ keyword }: ErrorObject): boolean => keyword === 'additionalProperties'

function suggestionFor({ params, parentSchema = {} }: ErrorObject): string {
  const meant = likelyMeant(params.additionalProperty, Object.keys(parentSchema.properties ?? {}))
  return meant ? `; did you mean ${meant}?` : ''
}

function likelyMeant(written: string, known: string[]): string | undefined {
  if (written.length > maxMisspeltLength) return undefined
  const plain = toPlain(written)
  const byPlain = new Map(known.map((name) => [toPlain(name), name]))
  const nearest = nearestName(plain, [...byPlain.keys()], () => plain.length / 4)
  return nearest === undefined ? undefined : byPlain.get(nearest)
}

const toPlain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
