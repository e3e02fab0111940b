import { type Connection, Index } from '@lancedb/lancedb'
import { expect, onTestFinished, test } from 'vitest'
import { StoreConnection } from '../../src/store/store-connection.ts'
import { temporaryDirectory } from '../support/server.ts'

test('what LanceDB remembers of indexes is bounded', async () => {
  const uri = await temporaryDirectory()
  const remembered = async (most?: bigint) => {
    const connection = await StoreConnection.open(uri, most)
    onTestFinished(() => connection.close())
    return connection.use(async (lance) => {
      const table = await lance.openTable('points')
      const before = connection.rememberedBytes
      await table.query().nearestTo(pointAt(0)).nprobes(partitions).limit(1).toArray()
      return connection.rememberedBytes - before
    })
  }
  const [numbers, partitions] = [64, 16]
  const pointAt = (place: number) =>
    Float32Array.from({ length: numbers }, (_, index) => Math.sin(place * 31 + index * 7))
  const making = await StoreConnection.open(uri)
  await making.use(async (lance) => {
    const rows = Array.from({ length: 4_000 }, (_, place) => ({ vector: [...pointAt(place)] }))
    const table = await lance.createTable('points', rows)
    await table.createIndex('vector', { config: Index.ivfFlat({ numPartitions: partitions }) })
  })
  making.close()
  const bytes = 4_000 * numbers * 4
  expect(await remembered()).toBeGreaterThan(bytes)
  expect(await remembered(BigInt(bytes / 4))).toBeLessThan(bytes / 2)
})

test('who closes it while a table is being opened does not break that off', async () => {
  const connection = await StoreConnection.open(await temporaryDirectory())
  const opening = Promise.withResolvers<Connection>()
  await connection.use((lance) => lance.createTable('rows', [{ id: 1 }]))
  const opened = connection.use(async (lance) => {
    const table = lance.openTable('rows')
    opening.resolve(lance)
    return (await table).countRows()
  })
  const lance = await opening.promise
  connection.close()
  expect(await opened).toBe(1)
  expect(lance.isOpen()).toBe(false)
})
