import type { MetadataFilter } from '../../../generated/types.gen.ts'
import { labelsInRange, labelOf, labelOfScalar, pointerOfKey } from '../../metadata/labels.ts'
import { above, and, type Filter, hasAny, not, or } from '../lance/filter.ts'

/** What filters are made of: conditions for LanceDB, or tests of rows in memory. */
type Parts<Part> = {
  has(labels: string[]): Part
  hasNone(labels: string[]): Part
  and(parts: Part[]): Part
  or(parts: Part[]): Part
}

export const metadataCondition = (filter: MetadataFilter): Filter =>
  build(filter, {
    has: (labels) => hasAny('labels', labels),
    // LanceDB searches vectors fast among listed rows, and slowly among all but listed rows.
    hasNone: (labels) => and(above('datasource_id', ''), not(hasAny('labels', labels))),
    and: (parts) => and(...parts),
    or: (parts) => or(...parts),
  })

type LabelTest = (labels: ReadonlySet<string>) => boolean

export const metadataTest = (filter: MetadataFilter): LabelTest =>
  build<LabelTest>(filter, {
    has: (wanted) => (labels) => wanted.some((label) => labels.has(label)),
    hasNone: (unwanted) => (labels) => !unwanted.some((label) => labels.has(label)),
    and: (parts) => (labels) => parts.every((test) => test(labels)),
    or: (parts) => (labels) => parts.some((test) => test(labels)),
  })

function build<Part>(filter: MetadataFilter, parts: Parts<Part>): Part {
  if ('filters' in filter) {
    const all = filter.filters.map((one) => build(one, parts))
    return filter.type === 'and' ? parts.and(all) : parts.or(all)
  }
  const pointer = pointerOfKey(filter.key)
  switch (filter.type) {
    case 'eq':
      return parts.has([labelOfScalar(pointer, filter.value)])
    case 'ne':
      return parts.hasNone([labelOfScalar(pointer, filter.value)])
    case 'in':
      return parts.has(filter.value.map((value) => labelOfScalar(pointer, value)))
    case 'nin':
      return parts.hasNone(filter.value.map((value) => labelOfScalar(pointer, value)))
    case 'exists':
      return parts[filter.value ? 'has' : 'hasNone']([labelOf('x', pointer)])
    default:
      return parts.has(labelsInRange(filter.type, pointer, filter.value))
  }
}
