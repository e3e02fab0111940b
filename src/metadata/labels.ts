import { parseInstant } from './instant.ts'
import { labelPrefix, labelAt, labelOf, labelOfScalar, pointerTo, type Scalar } from './label.ts'
import { type Code, codeOfInstant, codeOfNumber, endsOf, neighbour } from './ordered-code.ts'
import { exactTerm, termsOf, termsBetween } from './range-terms.ts'

/** The labels that filters find a document by. Its metadata are JSON or null. */
export function labelsOf(metadata: string | null): string[] {
  const labels: string[] = []
  const root: unknown = metadata === null ? {} : JSON.parse(metadata)
  for (const [member, value] of Object.entries(root ?? {})) {
    addLabels(labels, pointerTo('', member), value)
  }
  return labels
}

function addLabels(labels: string[], pointer: string, value: unknown): void {
  if (value === null) return
  labels.push(labelOf('x', pointer))
  const scalars = [value].flat().filter(isScalar)
  const others = scalars.filter((one) => typeof one !== 'number')
  const numbers = scalars.filter((one) => typeof one === 'number').map(codeOfNumber)
  const instants = others.flatMap(instantsOf).map(codeOfInstant)
  for (const one of new Set(others)) labels.push(labelOfScalar(pointer, one))
  addTerms(labels, labelPrefix('n', pointer), termsOfAll(numbers))
  addTerms(labels, labelPrefix('t', pointer), rangeTerms(instants))
  if (typeof value !== 'object') return
  for (const [member, child] of Object.entries(value)) {
    addLabels(labels, pointerTo(pointer, member), child)
  }
}

function addTerms(labels: string[], beginning: string, terms: Iterable<string>): void {
  for (const term of terms) labels.push(labelAt(beginning, term))
}

const isScalar = (value: unknown): value is Scalar =>
  ['string', 'number', 'boolean'].includes(typeof value)

const instantsOf = (value: Scalar) => (typeof value === 'string' ? (parseInstant(value) ?? []) : [])

const termsOfAll = (codes: Code[]): Iterable<string> =>
  codes.length > 1 ? new Set([...codes.map(exactTerm), ...rangeTerms(codes)]) : rangeTerms(codes)

/** Only the minimum and maximum matter for "above" and "below". */
function rangeTerms(codes: Code[]): Iterable<string> {
  const [first] = codes
  if (!first) return []
  if (codes.length === 1) return termsOf(first)
  const sorted = codes.toSorted((a, b) => (a.digits < b.digits ? -1 : 1))
  return new Set([...termsOf(sorted[0]!), ...termsOf(sorted.at(-1)!)])
}

type RangeKind = 'gt' | 'gte' | 'lt' | 'lte'

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
