import type { SchemaValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'

type Limits = { maxComparisons: number; maxDepth: number }

/** Adds the contract's keyword `x-filter-limits`; a comparison alone is one level. */
export function addFilterLimits(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: 'x-filter-limits',
    schemaType: 'object',
    errors: true,
    validate: checkLimits,
  })
}

const checkLimits: SchemaValidateFunction = (limits: Limits, value: unknown) => {
  const { comparisons, depth } = sizeOf(value)
  const messages = [
    ...(comparisons > limits.maxComparisons
      ? [`must not have more than ${limits.maxComparisons} comparisons`]
      : []),
    ...(depth > limits.maxDepth ? [`must not be more than ${limits.maxDepth} levels deep`] : []),
  ]
  checkLimits.errors = messages.map((message) => ({
    keyword: 'x-filter-limits',
    params: limits,
    message,
  }))
  return messages.length === 0
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
