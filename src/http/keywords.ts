import { _, type Code, type CodeKeywordDefinition, type SchemaValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { isUploadedFile } from '../files/uploaded-file.ts'
import { addJsonLimits } from './json-limits.ts'

type Limits = { maxLength?: number; minLength?: number; maxItems?: number }

const maxUnitsPerCharacter = 2

/** When to check a keyword: a pattern may take the square of a text's length. */
const lengthsToCheck: Record<string, (limits: Limits) => Code | undefined> = {
  pattern: ({ maxLength }) => atMost(maxLength && maxLength * maxUnitsPerCharacter),
  format: ({ maxLength }) => atMost(maxLength && maxLength * maxUnitsPerCharacter),
  uniqueItems: ({ maxItems }) => atMost(maxItems),
  maxLength: ({ maxLength }) => _`> ${maxLength}`,
  minLength: ({ minLength = 0 }) => _`< ${minLength * maxUnitsPerCharacter}`,
}

const atMost = (limit: number | undefined): Code | undefined =>
  limit === undefined ? undefined : _`<= ${limit}`

/** Adds the keywords of the contract, and bounds those that may take long. */
export function addKeywords(ajv: Ajv2020): void {
  boundKeywords(ajv)
  addJsonLimits(ajv)
  const own = { errors: true }
  const ofFilters = { schemaType: 'object', validate: checkLimits } as const
  const ofLists = { type: 'array', schemaType: 'string', errors: 'full' } as const
  ajv.addKeyword({ ...own, keyword: 'x-file', validate: checkFile })
  ajv.addKeyword({ ...own, keyword: 'x-json-text', schemaType: 'number', validate: refuseText })
  ajv.addKeyword({ ...own, keyword: 'x-filter-limits', ...ofFilters })
  ajv.addKeyword({ ...ofLists, keyword: 'x-unique-by', validate: checkUnique })
}

/** Skips keywords if the length alone decides, because the validator checks every keyword. */
function boundKeywords(ajv: Ajv2020): void {
  for (const [keyword, lengthOf] of Object.entries(lengthsToCheck)) {
    const shipped = ajv.getKeyword(keyword) as CodeKeywordDefinition
    ajv.removeKeyword(keyword)
    ajv.addKeyword({
      ...shipped,
      keyword,
      code: (context, type) => {
        const length = lengthOf(context.parentSchema as Limits)
        if (!length) shipped.code(context, type)
        else context.gen.if(_`${context.data}.length ${length}`, () => shipped.code(context, type))
      },
    })
  }
}

const checkFile: SchemaValidateFunction = (_isFile: boolean, value: unknown) => {
  if (isUploadedFile(value)) return true
  const message = 'must be a file, one part with a filename'
  checkFile.errors = [{ keyword: 'x-file', params: {}, message }]
  return false
}

/** A text that holds JSON, with its maximum length. `request-target.ts` has parsed valid texts. */
const refuseText: SchemaValidateFunction = (maxLength: number, value: unknown) => {
  if (typeof value !== 'string') return true
  const message =
    [...value].length > maxLength
      ? `must NOT have more than ${maxLength} characters`
      : 'must be an object as JSON'
  refuseText.errors = [{ keyword: 'x-json-text', params: { maxLength }, message }]
  return false
}

/** The items of a list differ in this member. */
const checkUnique: SchemaValidateFunction = (
  member: string,
  items: Record<string, unknown>[],
  parentSchema,
  context,
) => {
  const first = new Map<unknown, number>()
  const path = context?.instancePath ?? ''
  checkUnique.errors = items.flatMap((item, index) => {
    const value = item?.[member]
    const other = first.get(value)
    if (other === undefined) first.set(value, index)
    if (other === undefined || value === undefined) return []
    const message = `must be unlike that of item ${other}`
    const instancePath = `${path}/${index}/${member}`
    const error = { keyword: 'x-unique-by', params: { member }, message, instancePath }
    return [
      { ...error, schemaPath: '#/x-unique-by', data: value, ...(parentSchema && { parentSchema }) },
    ]
  })
  return checkUnique.errors.length === 0
}

type FilterLimits = { maxComparisons: number; maxDepth: number }

/** A comparison alone is one level. */
const checkLimits: SchemaValidateFunction = (limits: FilterLimits, value: unknown) => {
  const { maxComparisons, maxDepth } = limits
  const { comparisons, depth } = sizeOf(value)
  const broken = [
    comparisons > maxComparisons && `must not have more than ${maxComparisons} comparisons`,
    depth > maxDepth && `must not be more than ${maxDepth} levels deep`,
  ].filter((message) => message !== false)
  const error = { keyword: 'x-filter-limits', params: limits }
  checkLimits.errors = broken.map((message) => ({ ...error, message }))
  return broken.length === 0
}

function sizeOf(filter: unknown): { comparisons: number; depth: number } {
  if (!isCompound(filter)) return { comparisons: 1, depth: 1 }
  const sizes = filter.filters.map(sizeOf)
  return {
    comparisons: sizes.reduce((sum, { comparisons }) => sum + comparisons, 0),
    depth: 1 + Math.max(0, ...sizes.map(({ depth }) => depth)),
  }
}

const isCompound = (value: unknown): value is { filters: unknown[] } =>
  typeof value === 'object' && value !== null && 'filters' in value && Array.isArray(value.filters)
