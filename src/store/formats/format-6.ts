import type { Format } from './format.ts'

/** The records of datastores say how long fragments are. */
export const format6: Format = { number: 6, columns: [], isAnalysedAnew: false }
