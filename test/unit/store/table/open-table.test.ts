import { connect, type Table } from '@lancedb/lancedb'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Volume } from '../../../../src/store/disk/volume.ts'
import { IndexMemory } from '../../../../src/store/table/table-handle.ts'
import { OpenTable } from '../../../../src/store/table/open-table.ts'
import { fragmentSchema, toTable } from '../../../../src/store/fragments/rows.ts'
import { documentVersion } from '../../../support/document-version.ts'
import { openDatabase, temporaryDirectory } from '../../../support/server.ts'

/** A table of one document, and what opens other handles of it. */
async function openTable() {
  const directory = await temporaryDirectory()
  const connection = await connect(directory)
  const lance = await connection.createEmptyTable('fragments', fragmentSchema(2))
  await lance.add(toTable([documentVersion('a')]))
  const open = vi.fn(() => connection.openTable('fragments'))
  const volume = new Volume(directory, pino({ level: 'silent' }))
  const indexMemory = new IndexMemory()
  const table = new OpenTable({ table: lance, open, folderSync: undefined, volume, indexMemory })
  onTestFinished(async () => {
    await table.close()
    connection.close()
  })
  return { table, open, add: (handle: Table) => handle.add(toTable([documentVersion('b')])) }
}

const countRows = (handle: Table) => handle.countRows()

test('a commit that fails though it is done is read', async () => {
  const { table, open, add } = await openTable()
  const failing = table.commit(1, async () => {
    await add(await open())
    throw new Error('The disk failed, or so it said.')
  })
  await expect(failing).rejects.toThrow('or so it said')
  expect(await table.read(countRows)).toBe(2)
})

test('a version of another handle is read once the table is refreshed', async () => {
  const { table, open, add } = await openTable()
  await add(await open())
  expect(await table.read(countRows)).toBe(1)
  await table.refresh()
  expect(await table.read(countRows)).toBe(2)
})

test('a table is refreshed also where no further handle can be opened', async () => {
  const { table, open, add } = await openTable()
  await add(await open())
  open.mockRejectedValueOnce(new Error('Too many open files.'))
  await table.refresh()
  expect(await table.read(countRows)).toBe(2)
})

test('a table that is given up is closed once those who read it are done', async () => {
  const database = await openDatabase(await temporaryDirectory())
  const table = await database.createTable('fragments', fragmentSchema(2))
  const reads = Array.from({ length: 50 }, () => table.read((lance) => lance.countRows()))
  await table.close()
  expect(await Promise.all(reads)).toEqual(Array(50).fill(0))
  await expect(table.read((lance) => lance.countRows())).rejects.toThrow('closed')
})
