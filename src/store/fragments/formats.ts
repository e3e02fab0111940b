import type { Table } from '@lancedb/lancedb'

/** What one version changed of the files; a start brings older stores up to it. */
type Migration = {
  number: number
  /** The new columns of fragments, with the SQL of their values in existing rows. */
  columns: AddedColumn[]
}

type AddedColumn = { name: string; valueSql: string }

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

export async function missingColumns(table: Table): Promise<AddedColumn[]> {
  const { fields } = await table.schema()
  const there = new Set(fields.map(({ name }) => name))
  return addedColumns.filter(({ name }) => !there.has(name))
}

/** Writes only these columns, so it takes a moment however large the table is. */
export async function addMissingColumns(table: Table): Promise<void> {
  const missing = await missingColumns(table)
  if (missing.length > 0) await table.addColumns(missing)
}
