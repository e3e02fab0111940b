import type { Format } from './format.ts'

/** The records of datastores say how long fragments are, and documents may have pages. */
export const format6: Format = {
  number: 6,
  columns: [{ name: 'pages', valueSql: 'CAST(NULL AS STRING)' }],
  isAnalysedAnew: false,
}
