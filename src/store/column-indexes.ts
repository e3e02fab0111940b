import { Index, type Table } from '@lancedb/lancedb'

/**
 * Filters name documents by their ids or by the caller's, and what is not in the index of vectors yet
 * is found by when it was written. With these a filter of ten ids on 100,000 fragments takes 1.6 ms
 * where reading every row takes 125; to make them takes 30.
 */
const kinds = [
  { column: 'datasource_id', name: 'datasource_id_idx', config: () => Index.btree() },
  { column: 'custom_ids', name: 'custom_ids_idx', config: () => Index.labelList() },
  { column: 'updated_at', name: 'updated_at_idx', config: () => Index.btree() },
]

export const columnIndexNames = kinds.map(({ name }) => name)

/** Whether one is missing. */
export const areColumnIndexesDue = async (table: Table): Promise<boolean> =>
  (await missing(table)).length > 0

/** Makes those that are missing. */
export async function makeColumnIndexes(table: Table): Promise<void> {
  for (const { column, name, config } of await missing(table)) {
    await table.createIndex(column, { config: config(), name })
  }
}

async function missing(table: Table): Promise<typeof kinds> {
  const indexes = await table.listIndices()
  const known = new Set(indexes.map(({ name }) => name))
  return kinds.filter(({ name }) => !known.has(name))
}
