import { above, and, belowOrNull, equal, oneOf } from '../lance/filter.ts'
import { analysedFormat } from '../formats/formats.ts'
import type { OpenTable } from '../table/open-table.ts'
import { infoColumns } from './documents.ts'
import type { Gone } from './fragment-change.ts'
import type { DatasourceInfo, DocumentVersion, StoredVersion } from '../table/document.ts'

const wholeColumns = {
  ...infoColumns,
  batch: 'batch',
  customIds: 'custom_ids',
  position: 'position',
  offset: 'offset',
  text: 'text',
  vector: 'vector',
}

type Fragment = StoredVersion['fragments'][number]
type WholeRow = Omit<StoredVersion, 'fragments'> & DatasourceInfo & Fragment & { position: number }

/** Documents still to be analysed by the rules of this version. */
export const isOutdated = and(equal('position', 0), belowOrNull('format', analysedFormat))

export function outdatedAfter(table: OpenTable, id: string, limit: number): Promise<Gone[]> {
  return table.readAll((query) =>
    query
      .where(and(isOutdated, above('datasource_id', id)))
      .orderBy({ columnName: 'datasource_id' })
      .select({ id: 'datasource_id', fragmentCount: 'fragment_count' })
      .limit(limit),
  )
}

/** The documents of these ids, except those that lack a fragment. */
export async function storedVersions(table: OpenTable, ids: string[]): Promise<StoredVersion[]> {
  const rows = await table.readAll<WholeRow>((query) =>
    query.where(oneOf('datasource_id', ids)).select(wholeColumns),
  )
  rows.sort((a, b) => a.position - b.position)
  return [...Map.groupBy(rows, ({ id }) => id).values()].filter(isWhole).map(toVersion)
}

export async function storedDocument(
  table: OpenTable,
  id: string,
): Promise<DocumentVersion | undefined> {
  const columns = { ...wholeColumns, words: 'words' }
  const rows = await table.readAll<WholeRow & { words: string }>((query) =>
    query.where(equal('datasource_id', id)).select(columns),
  )
  if (rows.length === 0) return undefined
  rows.sort((a, b) => a.position - b.position)
  const fragments = rows.map(({ offset, text, vector, words }) => ({
    offset,
    text,
    vector,
    words: Buffer.from(words),
  }))
  return { ...rows[0]!, fragments }
}

const isWhole = (rows: WholeRow[]): boolean =>
  rows.length === rows[0]!.fragmentCount && rows.every(({ position }, index) => position === index)

function toVersion(rows: WholeRow[]): StoredVersion {
  const fragments = rows.map(({ offset, text, vector }) => ({ offset, text, vector }))
  return { ...rows[0]!, fragments }
}
