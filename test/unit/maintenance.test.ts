import { connect, type Connection, type Table } from '@lancedb/lancedb'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fragmentIndexes } from '../../src/store/fragment-indexes.ts'
import { FreshRows } from '../../src/store/fresh-rows.ts'
import { Maintenance } from '../../src/store/maintenance.ts'
import type { OpenTable } from '../../src/store/open-table.ts'
import { fragmentSchema, toTable } from '../../src/store/rows.ts'
import type { Indexes, Upkeep } from '../../src/store/upkeep.ts'
import { makeWordIndex } from '../../src/store/word-index.ts'
import { documentVersion } from '../support/document-version.ts'
import { openDatabase, temporaryDirectory } from '../support/server.ts'

const document = documentVersion('a')

async function openTable() {
  const dataUri = await temporaryDirectory()
  const database = await openDatabase(dataUri)
  const table = await database.createTable('fragments', fragmentSchema(2))
  const connection = await connect(dataUri)
  onTestFinished(async () => {
    connection.close()
    await table.close()
    database.close()
  })
  return { table, connection }
}

const heldBy = (indexes: Partial<Indexes>, fresh: FreshRows) => ({
  hold: async () => undefined,
  release: () => undefined,
  isAwaited: () => false,
  indexes: { ...fragmentIndexes, fewestRows: 0, ...indexes },
  areWordsNew: true,
  fresh,
})

/** As those of a small table. */
const small: Partial<Indexes> = {
  state: async () => ({ hasVectors: false, isWordsOnly: true, unindexed: 0 }),
  fewestRows: 2_000,
}

const upkeepOf = (connection: Connection): Upkeep => ({
  open: () => connection.openTable('fragments'),
  elsewhere: async () => false,
  inTurn: (work) => work(),
  indexed: () => undefined,
  renewed: async () => undefined,
  settled: async () => undefined,
  oldestRead: () => Infinity,
  isWritable: () => true,
  isFull: async () => false,
  failed: (error) => expect.fail(String(error)),
})

test('a commit begun before fresh rows are recorded is made before the newest row is asked for', async () => {
  const { table } = await openTable()
  const [begun, recorded, made] = [0, 1, 2].map(() => Promise.withResolvers<void>()) as [
    PromiseWithResolvers<void>,
    PromiseWithResolvers<void>,
    PromiseWithResolvers<void>,
  ]
  const fresh = new FreshRows()
  fresh.record = () => recorded.resolve()
  const counts: number[] = []
  const asked = Promise.withResolvers<void>()
  const newest = async (lance: Table) => {
    counts.push(await lance.countRows())
    if (counts.length === 2) asked.resolve()
    return '1'
  }
  const commit = table.commit(1, async (lance) => {
    begun.resolve()
    await made.promise
    await lance.add(toTable([document]))
  })
  await begun.promise
  await table.maintain(heldBy({ newest }, fresh))
  await recorded.promise
  // Long enough for who does not wait to have asked.
  await Promise.race([asked.promise, pause(300)])
  made.resolve()
  await Promise.all([commit, asked.promise])
  // As the table was opened, and then.
  expect(counts).toEqual([0, 1])
})

test('while the index of words is emptied to make room, no search relies on it', async () => {
  const { table, connection } = await openTable()
  await table.commit(1, (lance) => lance.add(toTable([document])))
  const fresh = new FreshRows()
  const cleared = Promise.withResolvers<string | undefined>()
  const merged = Promise.withResolvers<void>()
  const writers = heldBy(
    {
      state: async () => ({ hasVectors: true, isWordsOnly: false, unindexed: 0 }),
      clear: async () => cleared.resolve(fresh.since),
    },
    fresh,
  )
  const maintenance = new Maintenance({
    ...upkeepOf(connection),
    isFull: async () => {
      merged.resolve()
      return true
    },
    failed: cleared.reject,
  })
  await table.read((lance) => maintenance.takeStock(lance, writers))
  expect(fresh.since).toBe('1')
  maintenance.start(writers)
  maintenance.makeRoom()
  expect(await cleared.promise).toBeUndefined()
  await merged.promise
  await maintenance.stopWhole()
})

test('once nothing is written for five seconds, also the last hundred rows are indexed', async () => {
  const { table, connection } = await openTable()
  await table.commit(1, (lance) => lance.add(toTable([document])))
  const fresh = new FreshRows()
  const writers = heldBy(
    { state: async () => ({ hasVectors: true, isWordsOnly: false, unindexed: 0 }) },
    fresh,
  )
  const maintenance = new Maintenance(upkeepOf(connection))
  await table.read((lance) => maintenance.takeStock(lance, writers))
  maintenance.start(writers)
  const begin = vi.spyOn(fresh, 'record')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  maintenance.committed(Date.now(), 99, 0)
  vi.advanceTimersByTime(5_000)
  maintenance.committed(Date.now(), 1, 0)
  vi.advanceTimersByTime(4_999)
  maintenance.committed(Date.now(), 0, 0)
  vi.advanceTimersByTime(4_999)
  expect(begin).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(begin).toHaveBeenCalledOnce()
  await maintenance.stopWhole()
  expect(maintenance.coverage.fresh).toBe(0)
})

test('commits that failed are merged as those that did not, for they may be done', async () => {
  const { table, connection } = await openTable()
  await table.commit(1, (lance) => lance.add(toTable([document])))
  const renewed = vi.fn(async () => undefined)
  const maintenance = new Maintenance({ ...upkeepOf(connection), renewed })
  const { hold, release, isAwaited } = heldBy({}, new FreshRows())
  const writers = { hold, release, isAwaited }
  await table.read((lance) => maintenance.takeStock(lance, writers))
  maintenance.start(writers)
  for (let n = 1; n < 15; n++) maintenance.mayHaveCommitted(1, 0)
  expect(renewed).not.toHaveBeenCalled()
  maintenance.mayHaveCommitted(1, 0)
  await maintenance.stopWhole()
  expect(renewed).toHaveBeenCalled()
})

test('as a table is opened nobody knows what its index of words counts, and it is made anew', async () => {
  const { table, connection } = await openTable()
  await table.commit(1, (lance) => lance.add(toTable([document])))
  await table.commit(0, makeWordIndex)
  const writers = { ...heldBy(small, new FreshRows()), areWordsNew: false }
  const maintenance = new Maintenance(upkeepOf(connection))
  await table.read((lance) => maintenance.takeStock(lance, writers))
  expect(maintenance.coverage.gone).toBeGreaterThan(2 ** 30)
  maintenance.start(writers)
  await maintenance.stopWhole()
  expect(maintenance.coverage.gone).toBe(0)
})

test('once nothing is written for five seconds, it is made anew where it counts what is gone', async () => {
  const { table, connection } = await openTable()
  await table.commit(1, (lance) => lance.add(toTable([document])))
  const writers = heldBy(small, new FreshRows())
  const maintenance = new Maintenance(upkeepOf(connection))
  await table.read((lance) => maintenance.takeStock(lance, writers))
  maintenance.start(writers)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  maintenance.committed(Date.now(), 0, 1)
  vi.advanceTimersByTime(4_999)
  expect(maintenance.coverage.gone).toBe(1)
  vi.advanceTimersByTime(1)
  await maintenance.stopWhole()
  expect(maintenance.coverage.gone).toBe(0)
})

test('rows that are to be read from files are indexed at once, however few', async () => {
  const { table, connection } = await openTable()
  await table.commit(1, (lance) => lance.add(toTable([document])))
  const fresh = new FreshRows()
  const writers = heldBy(
    { state: async () => ({ hasVectors: true, isWordsOnly: false, unindexed: 0 }) },
    fresh,
  )
  const maintenance = new Maintenance(upkeepOf(connection))
  await table.read((lance) => maintenance.takeStock(lance, writers))
  maintenance.start(writers)
  maintenance.committed(Date.now(), 1, 0)
  const begin = vi.spyOn(fresh, 'record')
  fresh.forget()
  expect(begin).toHaveBeenCalledOnce()
  await maintenance.stopWhole()
  expect(maintenance.coverage.fresh).toBe(0)
})

test('of a small table, once nothing is written for five seconds, the words of all rows are indexed', async () => {
  const { table, connection } = await openTable()
  await table.commit(1, (lance) => lance.add(toTable([document])))
  const fresh = new FreshRows()
  const writers = heldBy(small, fresh)
  const maintenance = new Maintenance(upkeepOf(connection))
  await table.read((lance) => maintenance.takeStock(lance, writers))
  maintenance.start(writers)
  const begin = vi.spyOn(fresh, 'record')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  maintenance.committed(Date.now(), 15, 0)
  vi.advanceTimersByTime(5_000)
  maintenance.committed(Date.now(), 1, 0)
  vi.advanceTimersByTime(4_999)
  maintenance.committed(Date.now(), 0, 0)
  vi.advanceTimersByTime(4_999)
  expect(begin).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(begin).toHaveBeenCalledOnce()
  await maintenance.stopWhole()
  expect(maintenance.coverage).toMatchObject({ isIndexed: false, until: '1', fresh: 0 })
})

test('words that an earlier life left out of the index are indexed at once', async () => {
  const { table, connection } = await openTable()
  await table.commit(1, (lance) => lance.add(toTable([document])))
  const state = async () => ({ hasVectors: false, isWordsOnly: true, unindexed: 1 })
  const held = heldBy({ state, fewestRows: 2_000 }, new FreshRows())
  const writers = { ...held, areWordsNew: false }
  const maintenance = new Maintenance(upkeepOf(connection))
  await table.read((lance) => maintenance.takeStock(lance, writers))
  expect(maintenance.coverage).toMatchObject({ until: undefined, fresh: 1 })
  maintenance.start(writers)
  await expect.poll(() => maintenance.coverage).toMatchObject({ until: '1', fresh: 0 })
  await maintenance.stopWhole()
})

test('what is done to one table waits for what is done to another, but not where it has no indexes', async () => {
  const database = await openDatabase(await temporaryDirectory())
  const names = ['first', 'second', 'third']
  const tables = await Promise.all(
    names.map((name) => database.createTable(name, fragmentSchema(2))),
  )
  for (const table of tables) {
    await table.commit(1, (lance) => lance.add(toTable([document])))
    onTestFinished(() => table.close())
  }
  const [first, second, third] = tables as [OpenTable, OpenTable, OpenTable]
  const [begun, done, merged] = [0, 1, 2].map(() => Promise.withResolvers<void>())
  const held = Promise.withResolvers<number>()
  const events: string[] = []
  const bytesOfFirst = () => {
    begun!.resolve()
    return held.promise
  }
  const bytesOfSecond = async () => {
    events.push('second')
    done!.resolve()
    return 0
  }
  await first.maintain(heldBy({ bytesOfWords: bytesOfFirst }, new FreshRows()))
  await begun!.promise
  await second.maintain(heldBy({ bytesOfWords: bytesOfSecond }, new FreshRows()))
  await third.maintain({
    hold: async () => merged!.resolve(),
    release: () => undefined,
    isAwaited: () => false,
  })
  for (let n = 0; n < 20; n++) {
    await third.commit(1, (lance) => lance.add(toTable([documentVersion(`b${n}`)])))
  }
  await merged!.promise
  // Long enough for who does not wait.
  await pause(300)
  events.push('released')
  held.resolve(0)
  await done!.promise
  expect(events).toEqual(['released', 'second'])
})

test('where rows stand is gone over before searches read what a chore made; if that fails, nothing else does', async () => {
  const { table, connection } = await openTable()
  await table.commit(1, (lance) => lance.add(toTable([document])))
  const events: string[] = []
  const done = Promise.withResolvers<void>()
  const follow = async (lance: Table) => {
    events.push(`follow ${await lance.countRows()}`)
    throw new Error('It cannot be read.')
  }
  const writers = { ...heldBy({}, new FreshRows()), follow }
  const maintenance = new Maintenance({
    ...upkeepOf(connection),
    renewed: async () => void events.push('renewed'),
    // That is told once the chore is done.
    indexed: () => done.resolve(),
    failed: done.reject,
  })
  await table.read((lance) => maintenance.takeStock(lance, writers))
  maintenance.start(writers)
  await done.promise
  await maintenance.stopWhole()
  expect(events.slice(0, 2)).toEqual(['follow 1', 'renewed'])
})

/** A table whose mergers go on, once files are merged, until `indexed`. */
async function openMerging(isAwaited: () => boolean) {
  const { table, connection } = await openTable()
  const [merged, indexed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const events: string[] = []
  const open = async () => {
    const lance = await connection.openTable('fragments')
    const { optimize } = lance
    lance.optimize = async (options) => {
      const stats = await optimize.call(lance, options)
      merged.resolve()
      await indexed.promise
      events.push('indexed')
      return stats
    }
    return lance
  }
  const maintenance = new Maintenance({
    ...upkeepOf(connection),
    open,
    renewed: async () => void events.push('renewed'),
  })
  const released = Promise.withResolvers<void>()
  const release = () => {
    events.push('released')
    released.resolve()
  }
  const writers = { hold: async () => undefined, release, isAwaited }
  await table.read((lance) => maintenance.takeStock(lance, writers))
  maintenance.start(writers)
  for (let n = 0; n < 20; n++) {
    await table.commit(1, (lance) => lance.add(toTable([documentVersion(`c${n}`)])))
    maintenance.committed(Date.now(), 1, 0)
  }
  await merged.promise
  onTestFinished(() => maintenance.stopWhole())
  return { events, indexed, released: released.promise }
}

test('who waits for files to be merged goes on before indexes are brought up to date', async () => {
  const { events, indexed, released } = await openMerging(() => true)
  await released
  // A write by a version of before would be done in vain at first.
  expect(events).toEqual(['renewed', 'renewed', 'released'])
  indexed.resolve()
  await expect.poll(() => events.slice(3)).toEqual(['indexed', 'renewed', 'released'])
})

test('for nobody who waits nothing is read anew before that', async () => {
  const isAwaited = vi.fn(() => false)
  const { events, indexed, released } = await openMerging(isAwaited)
  await vi.waitUntil(() => isAwaited.mock.calls.length > 1, { timeout: 60_000 })
  indexed.resolve()
  await released
  expect(events).toEqual(['renewed', 'indexed', 'renewed', 'released'])
})
