import { expect, test } from 'vitest'
import { checkVectors } from '../../src/embeddings/embedder.ts'
import { StorageFull } from '../../src/errors.ts'
import { translated } from '../../src/store/lance/faults.ts'
import { fragmentSchema } from '../../src/store/fragments/rows.ts'
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

test('a table that is given up is closed once those who read it are done', async () => {
  const database = await openDatabase(await temporaryDirectory())
  const table = await database.createTable('fragments', fragmentSchema(2))
  const reads = Array.from({ length: 50 }, () => table.read((lance) => lance.countRows()))
  await table.close()
  expect(await Promise.all(reads)).toEqual(Array(50).fill(0))
  await expect(table.read((lance) => lance.countRows())).rejects.toThrow('closed')
})
