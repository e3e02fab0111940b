import { type Connection, Index, Session } from '@lancedb/lancedb'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { StoreConnection } from '../../src/store/store-connection.ts'
import { temporaryDirectory } from '../support/server.ts'

const halfOfTheMost = 48 * 1024 * 1024
const mostAtRest = 16 * 1024 * 1024
const rest = 15_000

async function openConnection(session?: () => Session, log = pino({ level: 'silent' })) {
  const uri = await temporaryDirectory()
  const connection = await StoreConnection.open(uri, log, session)
  onTestFinished(() => connection.close())
  return connection
}

const currentOf = (connection: StoreConnection): Promise<Connection> =>
  connection.use(async (current) => current)

test('everything is opened anew once as many bytes of indexes were made as are kept', async () => {
  const connection = await openConnection()
  const first = await currentOf(connection)
  const rows = await first.createTable('rows', [{ id: 1 }])
  let reopened = 0
  const gone = { reopen: () => Promise.reject(new Error('It was dropped.')) }
  const kept = {
    reopen: async () => {
      const table = await connection.use((current) => current.openTable('rows'))
      reopened += await table.countRows()
    },
  }
  for (const table of [gone, kept]) await connection.keep(table, first)
  connection.indexed(halfOfTheMost)
  expect(await currentOf(connection)).toBe(first)
  connection.indexed(halfOfTheMost)
  await expect.poll(() => reopened).toBe(1)
  const second = await currentOf(connection)
  expect(second).not.toBe(first)
  // Who reads by the one before reads on.
  expect(await rows.countRows()).toBe(1)

  connection.leave(kept)
  connection.indexed(2 * halfOfTheMost)
  await expect.poll(() => currentOf(connection)).not.toBe(second)
  expect(reopened).toBe(1)
})

test('once nothing is indexed any more, less is enough', async () => {
  const connection = await openConnection()
  const first = await currentOf(connection)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  connection.indexed(mostAtRest - 1)
  expect(vi.getTimerCount()).toBe(0)
  connection.indexed(1)
  vi.advanceTimersByTime(rest - 1)
  connection.indexed(1)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(rest - 1)
  expect(first.isOpen()).toBe(true)
  vi.advanceTimersByTime(1)
  vi.useRealTimers()
  await expect.poll(() => first.isOpen()).toBe(false)

  // What was made before that is no longer counted.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  connection.indexed(2 * halfOfTheMost - 1)
  expect(vi.getTimerCount()).toBe(1)
})

test('what is kept of tables that are gone counts, too', async () => {
  const connection = await openConnection()
  const first = await currentOf(connection)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  for (let n = 0; n < 16; n++) {
    const table = { reopen: async () => undefined }
    await connection.keep(table, first)
    expect(vi.getTimerCount()).toBe(0)
    connection.leave(table)
    connection.leave(table)
  }
  expect(vi.getTimerCount()).toBe(1)
})

test('who closes it need not wait for that', async () => {
  const connection = await openConnection()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  connection.indexed(mostAtRest)
  expect(vi.getTimerCount()).toBe(1)
  connection.close()
  expect(vi.getTimerCount()).toBe(0)
})

test('the one before is closed as soon as nobody uses it', async () => {
  const connection = await openConnection()
  const using = Promise.withResolvers<void>()
  let first: Connection
  const used = connection.use(async (current) => {
    first = current
    await using.promise
    return current.tableNames()
  })
  connection.indexed(2 * halfOfTheMost)
  await expect.poll(() => currentOf(connection)).not.toBe(first!)
  const second = await currentOf(connection)
  expect(first!.isOpen()).toBe(true)
  using.resolve()
  expect(await used).toEqual([])
  expect(first!.isOpen()).toBe(false)

  connection.indexed(2 * halfOfTheMost)
  await expect.poll(() => second.isOpen()).toBe(false)
  expect((await currentOf(connection)).isOpen()).toBe(true)
})

test('what was opened by the connection before is opened anew as it is kept', async () => {
  const connection = await openConnection()
  const first = await currentOf(connection)
  connection.indexed(2 * halfOfTheMost)
  await expect.poll(() => currentOf(connection)).not.toBe(first)
  let reopened = 0
  const reopen = async () => void (reopened += 1)
  await connection.keep({ reopen }, await currentOf(connection))
  expect(reopened).toBe(0)
  await connection.keep({ reopen }, first)
  expect(reopened).toBe(1)
})

test('none is left open by who closes them while another is being opened', async () => {
  const connection = await openConnection()
  const first = await currentOf(connection)
  const closed = vi.spyOn(Object.getPrototypeOf(first), 'close')
  onTestFinished(() => closed.mockRestore())
  connection.indexed(2 * halfOfTheMost)
  connection.close()
  await expect.poll(() => new Set(closed.mock.contexts).size).toBe(2)
  expect(first.isOpen()).toBe(false)
})

test('who closes it while a table is being opened does not break that off', async () => {
  const connection = await openConnection()
  const first = await currentOf(connection)
  await first.createTable('rows', [{ id: 1 }])
  const opening = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<Connection>()
  const reopen = () =>
    connection.use(async (current) => {
      const table = current.openTable('rows')
      opening.resolve()
      await table.then(() => opened.resolve(current), opened.reject)
    })
  await connection.keep({ reopen }, first)
  connection.indexed(2 * halfOfTheMost)
  await opening.promise
  connection.close()
  const second = await opened.promise
  await expect.poll(() => [first.isOpen(), second.isOpen()]).toEqual([false, false])
})

test('what is indexed while everything is being opened anew counts for the next time', async () => {
  const connection = await openConnection()
  const first = await currentOf(connection)
  const reopening = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const going = Promise.withResolvers<void>()
  let reopened = 0
  const reopen = async () => {
    reopening[reopened++]?.resolve()
    await going.promise
  }
  await connection.keep({ reopen }, first)
  connection.indexed(2 * halfOfTheMost)
  await reopening[0]!.promise
  connection.indexed(2 * halfOfTheMost)
  going.resolve()
  await reopening[1]!.promise
  expect(reopened).toBe(2)
})

test('many that are small count, for each holds a file open', async () => {
  const connection = await openConnection()
  const first = await currentOf(connection)
  for (let made = 1; made < 768; made++) connection.indexed(1)
  expect(await currentOf(connection)).toBe(first)
  connection.indexed(1)
  await expect.poll(() => currentOf(connection)).not.toBe(first)
})

test('what is remembered of indexes is what the session of each connection allows', async () => {
  const [rows, numbers, numPartitions] = [4_000, 64, 16]
  const bytes = rows * numbers * Float32Array.BYTES_PER_ELEMENT
  const pointAt = (place: number) =>
    Array.from({ length: numbers }, (_, index) => Math.sin(place * 31 + index * 7))
  const enough = new Session(BigInt(2 * bytes), BigInt(bytes))
  const tooLittle = new Session(BigInt(bytes / 4), BigInt(bytes))
  const sessions = [enough, tooLittle]
  const connection = await openConnection(() => sessions.shift()!)
  const first = await currentOf(connection)
  const points = await first.createTable(
    'points',
    Array.from({ length: rows }, (_, place) => ({ vector: pointAt(place) })),
  )
  await points.createIndex('vector', { config: Index.ivfFlat({ numPartitions }) })
  const search = async () => {
    const table = await connection.use((current) => current.openTable('points'))
    await table.query().nearestTo(pointAt(0)).nprobes(numPartitions).limit(1).toArray()
  }
  await search()
  expect(Number(enough.sizeBytes())).toBeGreaterThan(bytes)

  connection.indexed(2 * halfOfTheMost)
  await expect.poll(() => currentOf(connection)).not.toBe(first)
  await search()
  expect(Number(tooLittle.sizeBytes())).toBeGreaterThan(0)
  await expect.poll(() => Number(tooLittle.sizeBytes())).toBeLessThan(bytes / 2)
})

test('of what cannot be opened anew it warns, but not once it is closed', async () => {
  const warned = vi.fn()
  const connection = await openConnection(undefined, pino({ level: 'warn' }, { write: warned }))
  const first = await currentOf(connection)
  const [reopening, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const gone = { reopen: () => Promise.reject(new Error('It was dropped.')) }
  const slow = {
    reopen: async () => {
      reopening.resolve()
      await going.promise
      throw new Error('The connection is closed.')
    },
  }
  for (const table of [gone, slow]) await connection.keep(table, first)
  connection.indexed(2 * halfOfTheMost)
  await reopening.promise
  expect(warned).toHaveBeenCalledTimes(1)
  connection.close()
  going.resolve()
  // Only once all is done is the one before closed.
  await expect.poll(() => first.isOpen()).toBe(false)
  expect(warned).toHaveBeenCalledTimes(1)
})
