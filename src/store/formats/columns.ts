import type { Table } from '@lancedb/lancedb'
import type { AddedColumn } from './format.ts'
import { addedColumns } from './formats.ts'

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
