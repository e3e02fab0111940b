import type { Format } from './format.ts'

/** Texts are cut and tokenized by other rules, the built-in embedder makes other vectors, and rows say their format. */
export const format4: Format = {
  number: 4,
  columns: [{ name: 'format', valueSql: 'CAST(NULL AS INT)' }],
  isAnalysedAnew: true,
}
