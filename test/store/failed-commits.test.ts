import { connect, type Table } from '@lancedb/lancedb'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { QueryMode } from '../../generated/types.gen.ts'
import { OpenTable } from '../../src/store/table/open-table.ts'
import { checkedClient, openServer, temporaryDirectory } from '../support/server.ts'
import { makeAgent, makeDatastore, makeKey, query, upsert } from '../support/things.ts'

/** A commit that fails may be done all the same; who is told so may ask, or try again. */
afterEach(() => vi.restoreAllMocks())

/** A server that began with one text, whose words are in their index then. */
async function startWithText() {
  const dataUri = await temporaryDirectory()
  const first = await openServer({ dataUri })
  const id = await makeDatastore(first.client)
  await upsert(first.client, id, 'Bees make honey.')
  await first.close()
  return { id, ...(await start(dataUri)) }
}

async function start(dataUri: string) {
  const { client, url, close } = await openServer({ dataUri })
  onTestFinished(close)
  return { dataUri, client, url }
}

type Method = 'add' | 'update' | 'delete'

/** The next of these is done by a handle that the service knows nothing of, and then fails. */
function doOnceAndFail(dataUri: string, method: Method, failed?: (table: Table) => void) {
  const { commit } = OpenTable.prototype
  let isDue = true
  vi.spyOn(OpenTable.prototype, 'commit').mockImplementation(function (
    this: OpenTable,
    rows,
    write,
  ) {
    const fail = async (table: Table, args: unknown[]) => {
      isDue = false
      const connection = await connect(dataUri)
      const other = await connection.openTable(table.name)
      await Reflect.apply(other[method], other, args)
      connection.close()
      failed?.(table)
      throw new Error('The disk failed, or so it said.')
    }
    const failing = (table: Table) =>
      new Proxy(table, {
        get: (_, name) => {
          if (name === method && isDue) return (...args: unknown[]) => fail(table, args)
          const member: unknown = Reflect.get(table, name)
          return typeof member === 'function' ? member.bind(table) : member
        },
      })
    return commit.call(this, rows, (table) => write(failing(table)))
  })
}

const upsertOnce = (client: Parameters<typeof upsert>[0], datastoreId: string) =>
  sdk.upsertDocuments({
    client,
    path: { datastoreId },
    headers: { 'Idempotency-Key': 'once' },
    body: { documents: [{ text: 'Bees make wax.' }] },
  })

test('what a failed commit stored is found, in every mode, and by a repetition', async () => {
  const { dataUri, client, id } = await startWithText()
  doOnceAndFail(dataUri, 'add')
  expect((await upsertOnce(client, id)).response?.status).toBe(500)
  const expectBoth = async () => {
    for (const mode of Object.values(QueryMode)) {
      const found = await query(client, id, { query: 'bees', mode })
      const texts = found.map(({ text }) => text).toSorted()
      expect(texts).toEqual(['Bees make honey.', 'Bees make wax.'])
    }
  }
  await expectBoth()
  expect((await upsertOnce(client, id)).response?.status).toBe(200)
  await expectBoth()
})

test(
  'what a failed commit stored is not stored twice where nothing could be read for a moment',
  { tags: 'deep' },
  async () => {
    const { dataUri, client, id } = await startWithText()
    doOnceAndFail(dataUri, 'add', (table) => {
      const error = new Error('too many open files')
      vi.spyOn(Object.getPrototypeOf(table), 'checkoutLatest').mockRejectedValueOnce(error)
    })
    expect((await upsertOnce(client, id)).response?.status).toBe(500)
    expect((await upsertOnce(client, id)).response?.status).toBe(200)
    const { data } = await sdk.getDatastore({ client, path: { id } })
    expect(data).toMatchObject({ datasourceCount: 2, fragmentCount: 2 })
  },
)

test('an agent that a failed commit deleted is not given out', async () => {
  const { dataUri, client } = await start(await temporaryDirectory())
  const { id } = await makeAgent(client)
  doOnceAndFail(dataUri, 'delete')
  const statuses = []
  for (const call of [sdk.deleteAgent, sdk.getAgent, sdk.deleteAgent]) {
    statuses.push((await call({ client, path: { id } })).response?.status)
  }
  expect(statuses).toEqual([500, 404, 404])
})

test('a key that a failed commit revoked is refused', { tags: 'deep' }, async () => {
  const { dataUri, client, url } = await start(await temporaryDirectory())
  const { id, key } = await makeKey(client)
  const other = checkedClient(url, key)
  const use = async () => (await sdk.listDatastores({ client: other })).response?.status
  // The note of when it was used first is made before.
  expect(await use()).toBe(200)
  const isNoted = async () => {
    const { data } = await sdk.listKeys({ client, throwOnError: true })
    return data.data.some((one) => one.id === id && one.lastUsedAt !== null)
  }
  await expect.poll(isNoted).toBe(true)
  doOnceAndFail(dataUri, 'update')
  expect((await sdk.revokeKey({ client, path: { id } })).response?.status).toBe(500)
  expect(await use()).toBe(401)
  expect((await sdk.revokeKey({ client, path: { id } })).response?.status).toBe(200)
})
