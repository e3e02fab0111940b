import type { MetadataFilter } from '../../../generated/types.gen.ts'
import { labelOf, labelOfScalar, pointerOfKey } from '../../metadata/label.ts'
import { labelsInRange } from '../../metadata/range.ts'
import { above, and, type Filter, hasAny, not, or } from '../lance/filter.ts'

const has = (...labels: string[]): Filter => hasAny('labels', labels)

/** LanceDB searches vectors fast among listed rows, and slowly among all but listed rows. */
const hasNone = (...labels: string[]): Filter =>
  and(above('datasource_id', ''), not(has(...labels)))

export function metadataCondition(filter: MetadataFilter): Filter {
  if ('filters' in filter) {
    const parts = filter.filters.map(metadataCondition)
    return filter.type === 'and' ? and(...parts) : or(...parts)
  }
  const pointer = pointerOfKey(filter.key)
  switch (filter.type) {
    case 'eq':
      return has(labelOfScalar(pointer, filter.value))
    case 'ne':
      return hasNone(labelOfScalar(pointer, filter.value))
    case 'in':
      return has(...filter.value.map((value) => labelOfScalar(pointer, value)))
    case 'nin':
      return hasNone(...filter.value.map((value) => labelOfScalar(pointer, value)))
    case 'exists':
      return filter.value ? has(labelOf('x', pointer)) : hasNone(labelOf('x', pointer))
    default:
      return has(...labelsInRange(filter.type, pointer, filter.value))
  }
}
