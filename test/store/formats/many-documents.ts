import { makeArrowTable } from '@lancedb/lancedb'
import { wholeText } from '../../../src/domain/documents.ts'
import { readRows } from '../../../src/store/lance/read-rows.ts'
import { manuals, oldStore, withTable } from './old-store.ts'

type Row = Record<string, unknown> & {
  datasource_id: string
  position: number
  offset: number
  text: string
  vector: Float32Array
}

const tableName = `fragments_${manuals}`

const copiesAtOnce = 50

/** The old store with so many copies of the documents of one datastore, each with ids of its own. */
export async function oldStoreOf(copies: number): Promise<string> {
  const directory = await oldStore()
  await withTable(directory, tableName, async (table) => {
    const schema = await table.schema()
    const rows = readRows<Row>(await table.query().toArrow())
    for (let first = 1; first <= copies; first += copiesAtOnce) {
      const last = Math.min(copies, first + copiesAtOnce - 1)
      const copied = rows.flatMap((row) => copiesOf(row, first, last))
      await table.add(makeArrowTable(copied, { schema }))
    }
  })
  return directory
}

function copiesOf(row: Row, first: number, last: number): Record<string, unknown>[] {
  const vector = Array.from(row.vector)
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const copy = first + index
    const batch = `src_${String(copy).padStart(24, '0')}`
    const id = batch + row.datasource_id.slice(batch.length)
    const name = `Copy ${copy}`
    return { ...row, id: `${id}#${row.position}`, datasource_id: id, batch, vector, name }
  })
}

/** Of each document what an upgrade keeps, straight from the disk. */
export async function documentsIn(directory: string): Promise<Map<string, unknown>> {
  const rows = await withTable(directory, tableName, async (table) =>
    readRows<Row>(await table.query().toArrow()),
  )
  rows.sort((a, b) => a.position - b.position)
  const documents = [...Map.groupBy(rows, ({ datasource_id: id }) => id)].toSorted()
  return new Map(
    documents.map(([id, pieces]) => [id, { ...kept(pieces[0]!), text: wholeText(pieces) }]),
  )
}

function kept({ batch, name, metadata, source, custom_ids, digest, created_at, updated_at }: Row) {
  return { batch, name, metadata, source, custom_ids, digest, created_at, updated_at }
}
