import type { MergeResult, Table } from '@lancedb/lancedb'
import { RecordBatchFileWriter, type Table as ArrowTable } from 'apache-arrow'
import { concatenated, TimeSlice } from '../../process/time-slice.ts'
import { Overtaken } from '../lance/faults.ts'
import { equal, type Filter, insist, oneOf, oneOfPairs } from '../lance/filter.ts'
import type { OpenTable } from '../table/open-table.ts'
import { type Document, type DocumentVersion, noDatasource, type Gone } from './documents.ts'
import { rowId, toTableInSlices } from './rows.ts'

/** A document that is replaced is in both lists. */
export type Change = { written: DocumentVersion[]; gone: Gone[] }

/** What other processes may have done meanwhile: added documents of these ids, or replaced these ones. */
export type Others = { mayHaveAdded: boolean; mayHaveReplaced: boolean }

/**
 * Makes one commit. Documents of a batch whose ids exist are left out.
 * @returns whether all came in
 * @throws Overtaken if another process changed a document that is replaced, or deleted one that is deleted
 */
export async function applyChange(table: Table, change: Change, others: Others): Promise<boolean> {
  const { written, gone } = change
  if (written.length === 0) {
    if (gone.length > 0) await deleteAll(table, gone, others)
    return true
  }
  if (gone.length === 0 && !others.mayHaveAdded) {
    await addRows(table, await toTableInSlices(written))
    return true
  }
  const replace = others.mayHaveReplaced ? replaceAndDelete : replaceAll
  const { numInsertedRows } = await replace(table, change)
  return numInsertedRows === insertedBy(change)
}

async function deleteAll(table: Table, gone: Gone[], others: Others): Promise<void> {
  const { mayHaveReplaced } = others
  const where = mayHaveReplaced ? unchanged(gone) : oneOf('datasource_id', idsOf(gone))
  const { numDeletedRows } = await table.delete(where)
  if (mayHaveReplaced && numDeletedRows !== countGone(gone)) throw new Overtaken()
}

/** In one commit, which LanceDB makes again over what others commit meanwhile. */
async function replaceAndDelete(table: Table, { written, gone }: Change): Promise<MergeResult> {
  const rows = await toTableInSlices(written)
  const insert = table.mergeInsert('id').whenNotMatchedInsertAll()
  if (gone.length === 0) return insert.execute(rows)
  const mayChange = oneOf('target.datasource_id', idsOf(gone))
  const where = insist(unchanged(gone, 'target.'), mayChange)
  const put = insert.whenMatchedUpdateAll({ where })
  if (countGone(gone) === 0) return put.execute(rows)
  // For these LanceDB reads the whole table.
  return put.whenNotMatchedBySourceDelete({ where: unchanged(gone) }).execute(rows)
}

const unchanged = (gone: Gone[], of: '' | 'target.' = ''): Filter =>
  oneOfPairs(
    [`${of}datasource_id`, `${of}updated_at`],
    gone.flatMap(({ id, updatedAt }) =>
      updatedAt === undefined ? [] : [[id, updatedAt] as const],
    ),
  )

/** Empties the rows that a shorter version leaves; `deleteEmptied` comes after it. */
async function replaceAll(table: Table, change: Change): Promise<MergeResult> {
  const rows = await toTableInSlices(change.written, surplusOf(change))
  return table
    .mergeInsert('id')
    .whenNotMatchedInsertAll()
    .whenMatchedUpdateAll({
      where: oneOf('target.datasource_id', [...idsOf(change.gone), noDatasource]),
    })
    .execute(rows)
}

/** Rows that a shorter version has left. */
export const emptied = equal('datasource_id', noDatasource)

/** Whether a change leaves such rows. A commit that also deletes what is gone leaves none. */
export const leavesEmptied = (change: Change, { mayHaveReplaced }: Others): boolean =>
  change.written.length > 0 && !mayHaveReplaced && surplusOf(change).length > 0

export const deleteEmptied = (table: Table): Promise<unknown> => table.delete(emptied)

/** Deletes what a stop between two commits has left. */
export async function finishReplacing(table: OpenTable): Promise<void> {
  if ((await table.read((lance) => lance.countRows(emptied))) > 0) {
    await table.commit(0, deleteEmptied)
    await table.sync()
  }
}

function surplusOf({ written, gone }: Change): string[] {
  const after = new Map(written.map(({ id, fragments }) => [id, fragments.length]))
  return gone.flatMap(({ id, fragmentCount }) => {
    const kept = after.get(id) ?? 0
    return Array.from({ length: Math.max(0, fragmentCount - kept) }, (_, n) => rowId(id, kept + n))
  })
}

const idsOf = (gone: Gone[]): string[] => gone.map(({ id }) => id)

/** Deletes by themselves take LanceDB a moment, those in a merge as long as reading the whole table. */
export function withoutDeletes({ written, gone }: Change): [deletes: Change, rest: Change] {
  const kept = new Set(written.map(({ id }) => id))
  const [replaced, deleted] = [
    gone.filter(({ id }) => kept.has(id)),
    gone.filter(({ id }) => !kept.has(id)),
  ]
  return [
    { written: [], gone: deleted },
    { written, gone: replaced },
  ]
}

/** The other rows are written over those of the same position. */
function insertedBy({ written, gone }: Change): number {
  const before = new Map(gone.map(({ id, fragmentCount }) => [id, fragmentCount]))
  const grown = written.map(({ id, fragments }) => fragments.length - (before.get(id) ?? 0))
  return grown.reduce((sum, count) => sum + Math.max(0, count), 0)
}

export const countFragments = (documents: Document[]): number =>
  documents.reduce((sum, { fragments }) => sum + fragments.length, 0)

export const countGone = (gone: Gone[]): number =>
  gone.reduce((sum, { fragmentCount }) => sum + fragmentCount, 0)

const maxBatches = 8

/** LanceDB's `add` of an Arrow file, which its types lack. */
type Native = { add(file: Buffer, mode: 'append'): Promise<unknown> }

/** Adds rows in one commit. Copies many in slices, because LanceDB would hold up the event loop. */
export async function addRows(table: Table, rows: ArrowTable): Promise<void> {
  const native: Native | undefined = Reflect.get(table, 'inner')
  if (rows.batches.length <= maxBatches || !native) await table.add(rows)
  else await native.add(await toFile(rows), 'append')
}

async function toFile({ schema, batches }: ArrowTable): Promise<Buffer> {
  const writer = new RecordBatchFileWriter()
  writer.reset(undefined, schema)
  const slice = new TimeSlice()
  for (const batch of batches) {
    writer.write(batch)
    await slice.pause()
  }
  writer.close()
  const pieces: Uint8Array[] = []
  for await (const piece of writer) pieces.push(piece)
  return concatenated(pieces)
}
