import type { Table } from '@lancedb/lancedb'
import { RecordBatchFileWriter, type Table as ArrowTable } from 'apache-arrow'
import { TimeSlice } from '../../scheduling/time-slice.ts'
import { oneOf } from '../lance/filter.ts'
import { toTableInSlices } from './rows.ts'
import type { Document, DocumentVersion } from '../table/document.ts'

/** A document that is replaced is in both lists. */
export type Change = { written: DocumentVersion[]; gone: Gone[] }

export type Gone = { id: string; fragmentCount: number }

/** Makes one commit. New documents whose ids exist are left out. @returns whether all came in */
export async function applyChange(
  table: Table,
  change: Change,
  mayBeThere: boolean,
): Promise<boolean> {
  const { written, gone } = change
  const goneIds = gone.map(({ id }) => id)
  if (written.length === 0) {
    if (gone.length > 0) await table.delete(oneOf('datasource_id', goneIds))
    return true
  }
  const rows = await toTableInSlices(written)
  if (gone.length === 0 && !mayBeThere) {
    await addRows(table, rows)
    return true
  }
  const insert = table.mergeInsert('id').whenNotMatchedInsertAll()
  const merge =
    gone.length === 0
      ? insert
      : insert
          .whenMatchedUpdateAll({ where: oneOf('target.datasource_id', goneIds) })
          .whenNotMatchedBySourceDelete({ where: oneOf('datasource_id', goneIds) })
  const { numInsertedRows } = await merge.execute(rows)
  return numInsertedRows === insertedBy(change)
}

/** The other rows are written over those of the same position. */
function insertedBy({ written, gone }: Change): number {
  const before = new Map(gone.map(({ id, fragmentCount }) => [id, fragmentCount]))
  const grown = written.map(({ id, fragments }) => fragments.length - (before.get(id) ?? 0))
  return grown.reduce((sum, count) => sum + Math.max(0, count), 0)
}

export const countFragments = (documents: Document[]): number =>
  documents.reduce((sum, { fragments }) => sum + fragments.length, 0)

export const countGone = ({ gone }: Change): number =>
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
  return concatenated(pieces, slice)
}

async function concatenated(pieces: Uint8Array[], slice: TimeSlice): Promise<Buffer> {
  const file = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const piece of pieces) {
    file.set(piece, end)
    end += piece.length
    await slice.pause()
  }
  return file
}
