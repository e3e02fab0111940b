import { oneOf } from './filter.ts'
import type { OpenTable } from './open-table.ts'
import { readAll } from './read-rows.ts'
import { headColumns, type HeadRow, type Piece, type StoredDocument, toHead } from './rows.ts'

/** The documents of these ids that are there, all of one moment; without their vectors. */
export async function documentsOf(
  table: OpenTable,
  ids: string[],
): Promise<Map<string, StoredDocument>> {
  if (ids.length === 0) return new Map()
  const rows = await readAll<HeadRow & Piece & { position: number }>(table, (query) =>
    query.where(oneOf('datasource_id', ids)).select([...headColumns, 'position', 'offset', 'text']),
  )
  rows.sort((a, b) => a.position - b.position)
  const byId = Map.groupBy(rows, (row) => row.datasource_id)
  return new Map(
    Array.from(byId, ([id, pieces]) => [id, { head: toHead(pieces[0]!), pieces }] as const),
  )
}
