import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pino } from 'pino'
import { checkVectors } from '../../src/embeddings/embedder.ts'
import { StorageFull } from '../../src/errors.ts'
import { openService } from '../../src/service.ts'
import { translated } from '../../src/store/faults.ts'
import { Fragments } from '../../src/store/fragments.ts'
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

test('a table without a datastore, left by a crash, is gone after the next start', async () => {
  const directory = await temporaryDirectory()
  const database = await openDatabase(directory)
  await new Fragments(database).create('dst_orphan', 2)
  database.close()
  const table = join(directory, 'fragments_dst_orphan.lance')
  await access(table)
  const log = pino({ level: 'silent' })
  const service = await openService(
    { dataUri: directory, durability: 'fsync', requestTimeout: 60, provider: undefined },
    log,
  )
  await service.close()
  await expect(access(table)).rejects.toThrow('ENOENT')
})
