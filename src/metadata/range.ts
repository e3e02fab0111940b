import { parseInstant } from './instant.ts'
import { labelOf } from './label.ts'
import { type Code, codeOfInstant, codeOfNumber, endsOf, neighbour } from './ordered-code.ts'
import { termsBetween } from './range-terms.ts'

export type RangeKind = 'gt' | 'gte' | 'lt' | 'lte'

/** The labels of a range. A document with a number or instant in the range has one of them, others have none. */
export function labelsInRange(kind: RangeKind, pointer: string, value: number | string): string[] {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined
  if (typeof value === 'string' && !instant) return []
  const code = instant ? codeOfInstant(instant) : codeOfNumber(Number(value))
  return rangeOf(kind, code).map((term) => labelOf(instant ? 't' : 'n', pointer, term))
}

function rangeOf(kind: RangeKind, code: Code): string[] {
  const { least, greatest } = endsOf(code)
  const edge = kind === 'gt' ? neighbour(code, 1n) : kind === 'lt' ? neighbour(code, -1n) : code
  if (!edge) return []
  return kind.startsWith('g') ? termsBetween(edge, greatest) : termsBetween(least, edge)
}
