import { parseInstant } from './instant.ts'
import { labelOf, labelOfScalar, pointerTo, type Scalar } from './label.ts'
import { type Code, codeOfInstant, codeOfNumber } from './ordered-code.ts'
import { termsOf } from './range-terms.ts'

/** What filters find a document by: a set of strings made of its metadata, which is JSON or null. */
export function labelsOf(metadata: string | null): string[] {
  const labels = new Set<string>()
  const root: unknown = metadata === null ? {} : JSON.parse(metadata)
  for (const [member, value] of Object.entries(root ?? {})) {
    addLabels(labels, pointerTo('', member), value)
  }
  return [...labels]
}

function addLabels(labels: Set<string>, pointer: string, value: unknown): void {
  if (value === null) return
  labels.add(labelOf('x', pointer))
  const scalars = [value].flat().filter(isScalar)
  for (const scalar of scalars) labels.add(labelOfScalar(pointer, scalar))
  const numbers = scalars.filter((one) => typeof one === 'number').map(codeOfNumber)
  const instants = scalars.flatMap(instantsOf).map(codeOfInstant)
  for (const term of rangeTerms(numbers)) labels.add(labelOf('n', pointer, term))
  for (const term of rangeTerms(instants)) labels.add(labelOf('t', pointer, term))
  if (typeof value !== 'object') return
  for (const [member, child] of Object.entries(value)) {
    addLabels(labels, pointerTo(pointer, member), child)
  }
}

const isScalar = (value: unknown): value is Scalar =>
  ['string', 'number', 'boolean'].includes(typeof value)

const instantsOf = (value: Scalar) => (typeof value === 'string' ? (parseInstant(value) ?? []) : [])

/** The least and the greatest value tell whether any is above, or below, another. */
function rangeTerms(codes: Code[]): string[] {
  const [first] = codes
  if (!first) return []
  if (codes.length === 1) return termsOf(first)
  const sorted = codes.toSorted((a, b) => (a.digits < b.digits ? -1 : 1))
  return [...termsOf(sorted[0]!), ...termsOf(sorted.at(-1)!)]
}
