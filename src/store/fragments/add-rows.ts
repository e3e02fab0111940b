import type { Table as LanceTable } from '@lancedb/lancedb'
import { RecordBatchFileWriter, type Table } from 'apache-arrow'
import { TimeSlice } from '../../scheduling/time-slice.ts'

/** Few enough for LanceDB to copy between two turns of the event loop. */
const maxBatches = 8

/** Takes rows as an Arrow file; it is missing in LanceDB's types. */
type Native = { add(file: Buffer, mode: 'append'): Promise<unknown> }

/** Adds rows in one commit, and copies many in slices, where LanceDB would hold up the event loop. */
export async function addRows(table: LanceTable, rows: Table): Promise<void> {
  const native: Native | undefined = Reflect.get(table, 'inner')
  if (rows.batches.length <= maxBatches || !native) await table.add(rows)
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
