import type { Format } from './format.ts'

/** Documents may have keys, and rows have labels, by which filters on metadata find them. */
export const format5: Format = {
  number: 5,
  columns: [
    { name: 'document_key', valueSql: 'CAST(NULL AS STRING)' },
    { name: 'labels', valueSql: "arrow_cast(make_array(), 'List(Utf8)')" },
  ],
  isAnalysedAnew: true,
}
