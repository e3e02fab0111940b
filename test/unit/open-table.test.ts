import { connect, type Table } from '@lancedb/lancedb'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fragmentIndexes } from '../../src/store/fragment-indexes.ts'
import { FreshRows } from '../../src/store/fresh-rows.ts'
import { OpenTable } from '../../src/store/open-table.ts'
import { fragmentSchema, toTable } from '../../src/store/rows.ts'
import { makeWordIndex } from '../../src/store/word-index.ts'
import { documentVersion } from '../support/document-version.ts'
import { temporaryDirectory } from '../support/server.ts'

/** A table that is kept up, of one document whose words are indexed, with every handle opened of it. */
async function openTable() {
  const directory = await temporaryDirectory()
  const connection = await connect(directory)
  const lance = await connection.createEmptyTable('fragments', fragmentSchema(2))
  await lance.add(toTable([documentVersion('a')]))
  await makeWordIndex(lance)
  const handles: Table[] = [lance]
  const logged = vi.fn()
  const open = vi.fn(async () => {
    const handle = await connection.openTable('fragments')
    handles.push(handle)
    return handle
  })
  const load = vi.fn(fragmentIndexes.load)
  const indexed = vi.fn()
  const table = new OpenTable({
    table: lance,
    open,
    elsewhere: async () => false,
    inTurn: (work) => work(),
    indexed,
    closed: () => undefined,
    durability: undefined,
    place: { directory, failure: undefined },
    log: pino({ level: 'warn' }, { write: logged }),
  })
  onTestFinished(async () => {
    await table.close()
    connection.close()
  })
  // Who never searched by indexes has none loaded.
  await table.readIndexed((handle) => handle.countRows())
  await table.maintain({
    hold: async () => undefined,
    release: () => undefined,
    isAwaited: () => false,
    indexes: { ...fragmentIndexes, load },
    areWordsNew: true,
    fresh: new FreshRows(),
  })
  /** Settles once so many more are in the index of words, and who searches sees that. */
  const write = async (name: string, many: number) => {
    const before = await table.readIndexed((handle) => handle.countRows())
    const versions = Array.from({ length: many }, (_, n) => documentVersion(`${name} ${n}`))
    await table.commit(many, (handle) => handle.add(toTable(versions)), 0)
    await expect.poll(() => table.readIndexed((handle) => handle.countRows())).toBe(before + many)
    await vi.waitUntil(() => indexed.mock.calls.length > 0)
  }
  const openHandles = () => handles.filter((handle) => handle.isOpen()).length
  return { table, open, load, logged, write, openHandles }
}

test('the indexes that a chore made are loaded before searches go by them, by a handle that is closed then', async () => {
  const { load, write, openHandles, logged } = await openTable()
  await write('b', 600)
  expect(load).toHaveBeenCalled()
  // That of writes and that of searches.
  await expect.poll(openHandles).toBe(2)
  expect(logged).not.toHaveBeenCalled()
})

test('where they cannot be loaded searches go by them all the same', async () => {
  const { load, write, logged } = await openTable()
  load.mockRejectedValue(new Error('It is torn.'))
  await write('b', 600)
  expect(load).toHaveBeenCalled()
  expect(logged).not.toHaveBeenCalled()
})

test('nor is a chore done again where the handle for that cannot be opened', async () => {
  const { open, load, write, logged } = await openTable()
  const opening = open.getMockImplementation()!
  // The first is for the chore itself.
  open.mockImplementationOnce(opening).mockRejectedValueOnce(new Error('Too many open files.'))
  await write('b', 600)
  expect(load).not.toHaveBeenCalled()
  expect(logged).not.toHaveBeenCalled()
})

test('what a commit did though it failed is read, and known to be in no index', async () => {
  const { table, open } = await openTable()
  const failing = table.commit(1, async () => {
    const other = await open()
    await other.add(toTable([documentVersion('b')]))
    throw new Error('The disk failed, or so it said.')
  })
  await expect(failing).rejects.toThrow('or so it said')
  expect(await table.read((handle) => handle.countRows())).toBe(2)
  expect(table.hasFresh).toBe(true)
})
