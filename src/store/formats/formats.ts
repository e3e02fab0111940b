import type { AddedColumn, Migration } from './format.ts'

/** Documents may have the encoding of their file. */
const format7: Migration = {
  number: 7,
  columns: [{ name: 'encoding', valueSql: 'CAST(NULL AS STRING)' }],
  isAnalysedAnew: false,
}

/** The records of datastores say how long fragments are, and documents may have pages. */
const format6: Migration = {
  number: 6,
  columns: [{ name: 'pages', valueSql: 'CAST(NULL AS STRING)' }],
  isAnalysedAnew: false,
}

/** Documents may have keys. Rows have labels for filters on metadata. */
const format5: Migration = {
  number: 5,
  columns: [
    { name: 'document_key', valueSql: 'CAST(NULL AS STRING)' },
    { name: 'labels', valueSql: "arrow_cast(make_array(), 'List(Utf8)')" },
  ],
  isAnalysedAnew: true,
}

/** Texts are cut and tokenized by other rules, the built-in embedder makes other vectors, and rows say their format. */
const format4: Migration = {
  number: 4,
  columns: [{ name: 'format', valueSql: 'CAST(NULL AS INT)' }],
  isAnalysedAnew: true,
}

/** Oldest first. */
const formats: [Migration, ...Migration[]] = [format4, format5, format6, format7]

export const currentFormat = Math.max(...formats.map(({ number }) => number))

export const oldestUpgradableFormat = formats[0].number - 1

/** Documents of an older format than this are analysed anew. */
export const analysedFormat = Math.max(
  ...formats.filter(({ isAnalysedAnew }) => isAnalysedAnew).map(({ number }) => number),
)

export const addedColumns: AddedColumn[] = formats.flatMap(({ columns }) => columns)
