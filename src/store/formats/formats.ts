import type { AddedColumn, Migration } from './format.ts'

/** Documents may have the encoding of their file. */
const format7: Migration = {
  number: 7,
  columns: [{ name: 'encoding', valueSql: 'CAST(NULL AS STRING)' }],
}

/** The records of datastores say how long fragments are, and documents may have pages. */
const format6: Migration = {
  number: 6,
  columns: [{ name: 'pages', valueSql: 'CAST(NULL AS STRING)' }],
}

/** Oldest first. */
const formats: [Migration, ...Migration[]] = [format6, format7]

export const currentFormat = Math.max(...formats.map(({ number }) => number))

export const oldestUpgradableFormat = formats[0].number - 1

export const addedColumns: AddedColumn[] = formats.flatMap(({ columns }) => columns)
