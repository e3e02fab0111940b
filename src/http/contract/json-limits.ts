import type { SchemaValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'

type Limits = { maxBytes: number; maxDepth: number }

/** Adds the contract's keyword `x-json-limits`; the value itself is the first level. */
export function addJsonLimits(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: 'x-json-limits',
    type: 'object',
    schemaType: 'object',
    errors: true,
    validate: checkLimits,
  })
}

const checkLimits: SchemaValidateFunction = (limits: Limits, value: unknown) => {
  const message = brokenLimit(limits, value)
  if (message === undefined) return true
  checkLimits.errors = [{ keyword: 'x-json-limits', params: limits, message }]
  return false
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
