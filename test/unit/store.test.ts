import type { Table } from '@lancedb/lancedb'
import { expect, test } from 'vitest'
import { Deadline } from '../../src/deadline.ts'
import { checkVectors } from '../../src/embeddings/embedder.ts'
import { StorageFull } from '../../src/errors.ts'
import { translated } from '../../src/store/faults.ts'
import { Fragments } from '../../src/store/fragments.ts'
import { type DocumentVersion, fragmentSchema, toTable } from '../../src/store/rows.ts'
import { documentVersion } from '../support/document-version.ts'
import { openDatabase, temporaryDirectory } from '../support/server.ts'

test('a full disk is told apart, and a failure carries no path and no value', async () => {
  const failing = (message: string) => translated(Promise.reject(new Error(message)))
  await expect(failing('LanceError(IO): No space left on device (os error 28)')).rejects.toThrow(
    StorageFull,
  )
  const message =
    "Invalid user input: custom_ids = 'secret' in /var/data/agents.lance/data/1.lance, src/io.rs:1"
  await expect(failing(message)).rejects.toThrow(/^The store failed: Invalid user input: [^/']*$/)
})

test('vectors that cannot be stored or found are refused, each with its place', () => {
  const good = new Float32Array([0.6, 0.8])
  expect(() => checkVectors([good, good], 2, 2)).not.toThrow()
  expect(() => checkVectors([good], 2, 2)).toThrow('1 vectors for 2 texts')
  expect(() => checkVectors([good, new Float32Array(3)], 2, 2)).toThrow(
    'vector 1 3 numbers instead of 2',
  )
  expect(() => checkVectors([new Float32Array([NaN, 1])], 1, 2)).toThrow(
    'vector 0 numbers that are not finite',
  )
  expect(() => checkVectors([new Float32Array([Infinity, 1])], 1, 2)).toThrow('not finite')
  expect(() => checkVectors([new Float32Array([1e30, 1])], 1, 2)).toThrow('too large')
  expect(() => checkVectors([new Float32Array([1e-30, 0])], 1, 2)).toThrow('too small')
  expect(() => checkVectors([new Float32Array(2)], 1, 2)).toThrow('vector 0 only zeros')
})

test('what was replaced or deleted is counted, also where nobody asked for words', async () => {
  const fragments = new Fragments(await openDatabase(await temporaryDirectory()))
  await fragments.create('store', 2)
  const deadline = new Deadline(60)
  const store = await fragments.of('store')
  await store.writes.add([documentVersion('a'), documentVersion('b')], deadline)
  expect(store.gone).toBe(0)
  await store.writes.replace('a', () => documentVersion('a'), 1, deadline)
  expect(store.gone).toBe(1)
  await store.writes.remove('b', deadline)
  expect(store.gone).toBe(2)
})

test('a table that is opened anew loses no write, and what is read meanwhile is read to the end', async () => {
  const database = await openDatabase(await temporaryDirectory())
  const table = await database.createTable('reopened', fragmentSchema(2))
  const rows = 60
  let written = 0
  const write = async () => {
    for (; written < rows; written++) {
      await table.commit(1, (lance) => lance.add(toTable([documentOf(written)])))
    }
  }
  const read = async () => {
    while (written < rows) {
      const least = written
      const [first, second] = await table.read(async (lance) => [
        await lance.countRows(),
        await lance.countRows(),
      ])
      expect(first).toBeGreaterThanOrEqual(least)
      expect(second).toBeGreaterThanOrEqual(first)
    }
  }
  const reopen = async () => {
    while (written < rows) await table.reopen()
  }
  await Promise.all([write(), read(), read(), reopen()])
  expect(await table.read((lance) => lance.countRows())).toBe(rows)
  await table.close()
  await table.reopen()
  await expect(table.read((lance) => lance.countRows())).rejects.toThrow('closed')
  database.close()
})

test('a table that is given up is closed once those who read it are done', async () => {
  const database = await openDatabase(await temporaryDirectory())
  const table = await database.createTable('fragments', fragmentSchema(2))
  const reads = Array.from({ length: 50 }, () => table.read((lance) => lance.countRows()))
  await table.close()
  expect(await Promise.all(reads)).toEqual(Array(50).fill(0))
  await expect(table.read((lance) => lance.countRows())).rejects.toThrow('closed')
})

test('searches by indexes see every change and deletion, and what was added when that is over', async () => {
  const database = await openDatabase(await temporaryDirectory())
  const table = await database.createTable('indexed', fragmentSchema(2))
  const add = (number: number) =>
    table.commit(1, (lance) => lance.add(toTable([documentOf(number)])), 0)
  const idsIn = async (lance: Table) => {
    const rows = await lance.query().select(['datasource_id']).toArray()
    return rows.map((row) => Number(row.datasource_id.slice('doc_'.length))).toSorted()
  }
  const both = () => Promise.all([table.read(idsIn), table.readIndexed(idsIn)])
  await add(1)
  expect(await both()).toEqual([[1], [1]])
  await add(2)
  expect(await both()).toEqual([[1, 2], [1]])
  await table.commit(1, (lance) => lance.delete("datasource_id = 'doc_1'"))
  expect(await both()).toEqual([[2], [2]])
  await add(3)
  expect(await both()).toEqual([[2, 3], [2]])
  await table.reopen()
  expect(await both()).toEqual([
    [2, 3],
    [2, 3],
  ])
  await table.close()
  database.close()
})

const documentOf = (number: number): DocumentVersion => ({
  id: `doc_${number}`,
  batch: 'batch',
  name: 'name',
  metadata: null,
  source: '',
  customIds: [],
  digest: null,
  createdAt: new Date(number).toISOString(),
  updatedAt: new Date(number).toISOString(),
  fragments: [
    { offset: 0, text: 'Text.', words: Buffer.from('text'), vector: new Float32Array([0.6, 0.8]) },
  ],
})
