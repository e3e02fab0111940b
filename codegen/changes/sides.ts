import type { Direction } from './keywords.ts'
import type { Node } from './resolve.ts'

/** The documents before and after, and the pairs of shared schemas that were compared already. */
export type Sides = { before: Node; after: Node; direction: Direction; compared: Set<string> }
