import { expect, test } from 'vitest'
import { TableWriter } from '../../../../src/store/table/table-writer.ts'
import { type Write, WriteQueue } from '../../../../src/store/table/write-queue.ts'

/** A writer to a table whose newest row has that time. */
async function writerAfter(...newest: string[]): Promise<TableWriter<Write>> {
  const table = { readAll: async () => newest.map((time) => ({ created_at: time })) }
  const upkeep = { start: async () => undefined }
  const queue = new WriteQueue<Write>(async () => undefined)
  const writer = new TableWriter(table as never, queue, upkeep as never)
  await writer.start('created_at')
  return writer
}

test('each time is later than the one before, however many a millisecond has', async () => {
  const { stamp } = await writerAfter()
  const stamps = Array.from({ length: 1_000 }, stamp)
  expect(stamps).toEqual([...new Set(stamps)].toSorted())
})

test('what is written after a restart has a later time, though the clock went back', async () => {
  const { stamp } = await writerAfter('2100-01-01T00:00:00.000Z')
  expect([stamp(), stamp()]).toEqual(['2100-01-01T00:00:00.001Z', '2100-01-01T00:00:00.002Z'])
})
