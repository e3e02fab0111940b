import type { OpenTable } from './open-table.ts'

/** The newest time in a column of stamps; undefined if the table is empty. */
export async function newestStamp(
  table: OpenTable,
  column: 'created_at' | 'updated_at',
): Promise<string | undefined> {
  const [row] = await table.readAll<Record<typeof column, string>>((query) =>
    query.orderBy({ columnName: column, ascending: false }).select([column]).limit(1),
  )
  return row?.[column]
}
