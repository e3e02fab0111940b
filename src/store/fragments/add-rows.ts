import type { Table as LanceTable } from '@lancedb/lancedb'
import { RecordBatchFileWriter, type Table } from 'apache-arrow'
import { TimeSlice } from '../../scheduling/time-slice.ts'

/** What LanceDB makes of so many rows of the longest texts takes some tens of milliseconds. */
const mostAtOnce = 1_024

/** What LanceDB hands rows to, as an Arrow file. It is not in its types. */
type Native = { add(file: Buffer, mode: 'append'): Promise<unknown> }

/**
 * Adds rows in one commit. LanceDB copies all of them twice in one go, which held the event loop for a
 * quarter of a second where an upsert was as large as it may be: many are put together in slices here.
 */
export async function addRows(table: LanceTable, rows: Table): Promise<void> {
  const native: Native | undefined = Reflect.get(table, 'inner')
  if (rows.numRows <= mostAtOnce || !native) await table.add(rows)
  else await native.add(await toFile(rows), 'append')
}

async function toFile({ schema, batches }: Table): Promise<Buffer> {
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
  return joined(pieces, slice)
}

async function joined(pieces: Uint8Array[], slice: TimeSlice): Promise<Buffer> {
  const file = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const piece of pieces) {
    file.set(piece, end)
    end += piece.length
    await slice.pause()
  }
  return file
}
