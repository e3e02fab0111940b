import type { SchemaValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { TimeSlice } from '../process/time-slice.ts'

type Limits = { maxBytes: number; maxDepth: number }

type LimitedSchema = {
  'x-json-limits'?: Limits
  properties?: Record<string, LimitedSchema>
  items?: LimitedSchema
}

/** The violations of objects that were checked before validation. */
const known = new WeakMap<object, string | undefined>()

/** Checks the objects of a body one by one, because the validator does not yield. */
export async function checkJsonLimits(
  schema: LimitedSchema,
  value: unknown,
  slice: TimeSlice = new TimeSlice(),
): Promise<void> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    if (schema.items) for (const item of value) await checkJsonLimits(schema.items, item, slice)
    return
  }
  const limits = schema['x-json-limits']
  if (limits) {
    known.set(value, brokenLimit(limits, value))
    await slice.pause()
  }
  const members = new Map(Object.entries(value))
  for (const [member, child] of Object.entries(schema.properties ?? {})) {
    await checkJsonLimits(child, members.get(member), slice)
  }
}

/** The contract's keyword `x-json-limits`. The value itself is the first level. */
export function addJsonLimits(ajv: Ajv2020): void {
  const validate: SchemaValidateFunction = (limits: Limits, value: object) => {
    const message = known.has(value) ? known.get(value) : brokenLimit(limits, value)
    if (message === undefined) return true
    validate.errors = [{ keyword: 'x-json-limits', params: limits, message }]
    return false
  }
  const keyword = 'x-json-limits'
  ajv.addKeyword({ keyword, type: 'object', schemaType: 'object', errors: true, validate })
}

function brokenLimit({ maxBytes, maxDepth }: Limits, value: unknown): string | undefined {
  // Depth first: JSON.stringify recurses.
  if (isDeeper(value, maxDepth)) return `must not be more than ${maxDepth} levels deep`
  if (Buffer.byteLength(JSON.stringify(value)) > maxBytes) {
    return `must not be larger than ${maxBytes} bytes as JSON`
  }
  return undefined
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((child) => isDeeper(child, levels - 1))
}
