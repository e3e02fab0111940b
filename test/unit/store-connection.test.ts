import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { StoreConnection } from '../../src/store/store-connection.ts'
import { temporaryDirectory } from '../support/server.ts'

const halfOfTheMost = 48 * 1024 * 1024

async function openConnection() {
  const uri = await temporaryDirectory()
  const connection = await StoreConnection.open(uri, pino({ level: 'silent' }))
  onTestFinished(() => connection.close())
  return connection
}

test('everything is opened anew once as many bytes of indexes were made as are kept', async () => {
  const connection = await openConnection()
  const first = connection.current
  const rows = await first.createTable('rows', [{ id: 1 }])
  let reopened = 0
  const gone = { reopen: () => Promise.reject(new Error('It was dropped.')) }
  const kept = {
    reopen: async () => {
      const table = await connection.current.openTable('rows')
      reopened += await table.countRows()
    },
  }
  for (const table of [gone, kept]) await connection.keep(table, first)
  connection.indexed(halfOfTheMost)
  expect(connection.current).toBe(first)
  connection.indexed(halfOfTheMost)
  await expect.poll(() => reopened).toBe(1)
  expect(connection.current).not.toBe(first)
  // Who reads by the one before reads on.
  expect(await rows.countRows()).toBe(1)

  const second = connection.current
  connection.leave(kept)
  connection.indexed(2 * halfOfTheMost)
  await expect.poll(() => connection.current).not.toBe(second)
  expect(reopened).toBe(1)
})

test('what was opened by the connection before is opened anew as it is kept', async () => {
  const connection = await openConnection()
  const first = connection.current
  connection.indexed(2 * halfOfTheMost)
  await expect.poll(() => connection.current).not.toBe(first)
  let reopened = 0
  const reopen = async () => void (reopened += 1)
  await connection.keep({ reopen }, connection.current)
  expect(reopened).toBe(0)
  await connection.keep({ reopen }, first)
  expect(reopened).toBe(1)
})

test('none is left open by who closes them while another is being opened', async () => {
  const connection = await openConnection()
  const closed = vi.spyOn(Object.getPrototypeOf(connection.current), 'close')
  onTestFinished(() => closed.mockRestore())
  connection.indexed(2 * halfOfTheMost)
  connection.close()
  await expect.poll(() => closed.mock.calls.length).toBe(2)
  expect(connection.current.isOpen()).toBe(false)
})
