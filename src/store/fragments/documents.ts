import { oneOf } from '../lance/filter.ts'
import type { OpenTable } from '../table/open-table.ts'
import { headColumns, type HeadRow, type Piece, type StoredDocument, toHead } from './rows.ts'

/** The documents of these ids that are there, all of one moment; without their vectors. */
export async function documentsOf(
  table: OpenTable,
  ids: string[],
): Promise<Map<string, StoredDocument>> {
  if (ids.length === 0) return new Map()
  const rows = await table.readAll<HeadRow & Piece & { position: number }>((query) =>
    query.where(oneOf('datasource_id', ids)).select([...headColumns, 'position', 'offset', 'text']),
  )
  rows.sort((a, b) => a.position - b.position)
  const byId = Map.groupBy(rows, (row) => row.datasource_id)
  return new Map(
    Array.from(byId, ([id, pieces]) => [id, { head: toHead(pieces[0]!), pieces }] as const),
  )
}
