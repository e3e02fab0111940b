import type { Table as LanceTable } from '@lancedb/lancedb'
import { RecordBatchFileWriter, type Table } from 'apache-arrow'
import { TimeSlice } from '../../scheduling/time-slice.ts'

/** LanceDB copies them in some tens of milliseconds, also where their texts are the longest. */
const maxAtOnce = 1_024

/** What LanceDB hands rows to, as an Arrow file. It is not in its types. */
type Native = { add(file: Buffer, mode: 'append'): Promise<unknown> }

/** Adds rows in one commit. LanceDB would copy many in one go, so they are copied in slices here. */
export async function addRows(table: LanceTable, rows: Table): Promise<void> {
  const native: Native | undefined = Reflect.get(table, 'inner')
  if (rows.numRows <= maxAtOnce || !native) await table.add(rows)
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
