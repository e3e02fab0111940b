import { connect, type Table } from '@lancedb/lancedb'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { QueryMode } from '../../generated/types.gen.ts'
import { OpenTable } from '../../src/store/table/open-table.ts'
import { openServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, putDocument, query, upsert } from '../support/things.ts'

/** A version that has fewer fragments takes two commits: the second deletes what it leaves. */
afterEach(() => vi.restoreAllMocks())

const textOf = (version: string, sentences: number): string =>
  `Version ${version} of the timetable says so. `.repeat(sentences)

async function start(dataUri: string) {
  const { client, close } = await openServer({ dataUri })
  onTestFinished(close)
  return { client, close }
}

/** Calls this in place of every delete in a table of fragments. */
function instead(deleteRows: (table: Table, where: string) => Promise<unknown>) {
  const { commit } = OpenTable.prototype
  vi.spyOn(OpenTable.prototype, 'commit').mockImplementation(function (
    this: OpenTable,
    rows,
    write,
    gone,
  ) {
    const wrapped = (table: Table) =>
      new Proxy(table, {
        get: (_, name) => {
          if (name === 'delete') return (where: string) => deleteRows(table, where)
          const member: unknown = Reflect.get(table, name)
          return typeof member === 'function' ? member.bind(table) : member
        },
      })
    return commit.call(this, rows, (table) => write(wrapped(table)), gone)
  })
}

async function expectOnly(client: Client, id: string, version: string, sentences: number) {
  const path = { id, key: 'timetable' }
  const { data } = await sdk.getDocument({ client, path, throwOnError: true })
  expect(data.text).toBe(textOf(version, sentences))
  for (const mode of Object.values(QueryMode)) {
    const found = await query(client, id, { query: 'timetable version', mode, topK: 100 })
    expect(found.length).toBeGreaterThan(0)
    for (const { datasource_id: one, text } of found) {
      expect(one).toBe(data.id)
      expect(text).toContain(`Version ${version} `)
    }
  }
}

const fragmentCountOf = async (client: Client, id: string): Promise<number> =>
  (await sdk.getDatastore({ client, path: { id }, throwOnError: true })).data.fragmentCount

test('while its rows that are left are not deleted yet, all find the shorter version alone', async () => {
  const { client } = await start(await temporaryDirectory())
  const id = await makeDatastore(client)
  await putDocument(client, id, 'timetable', { text: textOf('one', 300) })
  const before = await fragmentCountOf(client, id)
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  instead(async (table, where) => {
    begun.resolve()
    await goOn.promise
    return table.delete(where)
  })
  const put = putDocument(client, id, 'timetable', { text: textOf('two', 80) })
  await begun.promise
  await expectOnly(client, id, 'two', 80)
  const meanwhile = await fragmentCountOf(client, id)
  expect(meanwhile).toBeLessThan(before)
  goOn.resolve()
  await put
  await expectOnly(client, id, 'two', 80)
  expect(await fragmentCountOf(client, id)).toBe(meanwhile)
})

test('meanwhile searches by words and by vectors are as full as before', async () => {
  const dataUri = await temporaryDirectory()
  const { client } = await start(dataUri)
  const body = { name: 'timetables', fragmentLength: 200 }
  const { id } = (await sdk.createDatastore({ client, body, throwOnError: true })).data
  const lines = (count: number) =>
    Array.from({ length: count }, (_, n) => `Line ${n} leaves daily.`)
  await putDocument(client, id, 'timetable', { text: textOf('one', 1_600) })
  await expect.poll(() => unindexedIn(dataUri, id)).toBe(0)
  // Memory searches these beside the index.
  await upsert(client, id, ...lines(150))
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  instead(async (table, where) => {
    begun.resolve()
    await goOn.promise
    return table.delete(where)
  })
  const put = putDocument(client, id, 'timetable', { text: textOf('two', 30) })
  await begun.promise
  const ask = (mode: 'keyword' | 'vector') =>
    query(client, id, { query: textOf('two', 2), mode, topK: 20 })
  const [byWords, byVectors] = await Promise.all([ask('keyword'), ask('vector')])
  goOn.resolve()
  await put
  for (const found of [byWords, byVectors]) expect(found[0]?.text).toContain('Version two')
  expect(byVectors).toHaveLength(20)
})

/** How many rows the index of words lacks. */
async function unindexedIn(dataUri: string, id: string): Promise<number | undefined> {
  const connection = await connect(dataUri)
  const table = await connection.openTable(`fragments_${id}`)
  const indexes = await table.listIndices()
  connection.close()
  return indexes.find(({ name }) => name === 'words_idx')?.numUnindexedRows
}

test('where they cannot be deleted the shorter version is stored, a start leaves none of them, and the next version may be longer', async () => {
  const dataUri = await temporaryDirectory()
  const { client, close } = await start(dataUri)
  const id = await makeDatastore(client)
  await putDocument(client, id, 'timetable', { text: textOf('one', 300) })
  instead(() => Promise.reject(new Error('No space left on device (os error 28)')))
  const path = { id, key: 'timetable' }
  const body = { text: textOf('two', 10) }
  expect((await sdk.putDocument({ client, path, body })).response?.status).toBe(200)
  await expectOnly(client, id, 'two', 10)
  await close()
  vi.restoreAllMocks()

  const { client: next } = await start(dataUri)
  await expectOnly(next, id, 'two', 10)
  expect(await fragmentCountOf(next, id)).toBe(1)
  await putDocument(next, id, 'timetable', { text: textOf('three', 300) })
  await expectOnly(next, id, 'three', 300)
})
