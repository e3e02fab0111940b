import type { Direction } from './keywords.ts'
import type { Node } from './resolve.ts'

/** Both documents; `told` are the pairs of shared schemas that were compared already. */
export type Sides = { before: Node; after: Node; direction: Direction; told: Set<string> }
