import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connect } from '@lancedb/lancedb'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { DatastoreFields } from '../../src/domain/datastores.ts'
import { toPending } from '../../src/domain/pending.ts'
import { Database } from '../../src/store/database/database.ts'
import { Fragments } from '../../src/store/fragments/fragments.ts'
import { Messages } from '../../src/store/records/messages.ts'
import { RecordTable } from '../../src/store/records/records.ts'
import { openDatabase, openServer, temporaryDirectory } from '../support/server.ts'
import { Provider } from '../support/provider.ts'
import { storeCommand } from '../support/store-command.ts'
import {
  makeConversation,
  makeDatastore,
  makeLearnedAgent,
  query,
  upsert,
} from '../support/things.ts'

/** What a crash between two steps of making or deleting a datastore leaves is finished or undone. */
afterEach(() => vi.restoreAllMocks())

async function start(dataUri: string) {
  const server = await openServer({ dataUri })
  onTestFinished(server.close)
  return server
}

/** A closed store whose datastores have one document each. */
async function storeOf(count: number) {
  const dataUri = await temporaryDirectory()
  const { client, close } = await openServer({ dataUri })
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const id = await makeDatastore(client)
    await upsert(client, id, 'Bees make honey.')
    ids.push(id)
  }
  await close()
  return { dataUri, ids }
}

async function onStore(
  dataUri: string,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const database = await openDatabase(dataUri)
  await work(database)
  database.close()
}

const makePending = (dataUri: string, ids: string[], doing: 'making' | 'deleting') =>
  onStore(dataUri, async (database) => {
    const records = await RecordTable.open<DatastoreFields>(database, 'datastores')
    for (const id of ids) {
      await records.move((await records.get(id))!, toPending({ doing, workspace: 'default' }))
    }
    await records.idle()
  })

const foldersOf = async (dataUri: string): Promise<string[]> =>
  (await readdir(dataUri)).filter((name) => name.startsWith('fragments_'))

const listed = async (client: Awaited<ReturnType<typeof start>>['client']): Promise<string[]> => {
  const { data } = await sdk.listDatastores({ client, throwOnError: true })
  return data.data.map(({ id }) => id)
}

test(
  'a start undoes the making of datastores that was cut off before or after the table was made',
  { tags: 'deep' },
  async () => {
    const { dataUri, ids } = await storeOf(1)
    const [id = ''] = ids
    await onStore(dataUri, async (database) => {
      const records = await RecordTable.open<DatastoreFields>(database, 'datastores')
      const workspace = toPending({ doing: 'making', workspace: 'default' })
      const made = { embeddingModel: 'hashing-2', dimensions: 1024, fragmentLength: 2_000 }
      for (const cut of ['dst_before', 'dst_after']) {
        await records.insert(cut, workspace, { name: cut, ...made })
      }
      await new Fragments(database).create('dst_after', 1024)
      await records.idle()
    })
    const { client } = await start(dataUri)
    expect(await listed(client)).toEqual([id])
    expect(await foldersOf(dataUri)).toEqual([`fragments_${id}.lance`])
    expect((await query(client, id, { query: 'honey' })).length).toBe(1)
  },
)

test(
  'a start finishes the deletion of datastores, wherever the dropping of the table was cut off',
  { tags: 'deep' },
  async () => {
    const gone = [undefined, '_versions', 'data', '']
    const { dataUri, ids } = await storeOf(gone.length)
    await makePending(dataUri, ids, 'deleting')
    for (const [index, part] of gone.entries()) {
      const folder = join(dataUri, `fragments_${ids[index]}.lance`)
      if (part !== undefined) await rm(join(folder, part), { recursive: true })
    }
    const { client, logged } = await start(dataUri)
    expect(await listed(client)).toEqual([])
    expect(await foldersOf(dataUri)).toEqual([])
    expect(logged.filter(({ level }) => Number(level) > 30)).toEqual([])
  },
)

test(
  'a start drops no table with documents, nor one that no datastore names, and tells of those',
  { tags: 'deep' },
  async () => {
    const { dataUri, ids } = await storeOf(2)
    const [pending = '', unnamed = ''] = ids
    await makePending(dataUri, [pending], 'making')
    await onStore(dataUri, async (database) => {
      await new Fragments(database).create('dst_empty', 2)
      const records = await RecordTable.open<DatastoreFields>(database, 'datastores')
      await records.remove((await records.get(unnamed))!)
      await records.idle()
    })
    const { client, logged } = await start(dataUri)
    expect(await listed(client)).toEqual([pending])
    expect((await query(client, pending, { query: 'honey' }))[0]?.text).toBe('Bees make honey.')
    for (const id of [unnamed, 'dst_empty']) {
      expect(await foldersOf(dataUri)).toContain(`fragments_${id}.lance`)
      expect(logged).toContainEqual(
        expect.objectContaining({
          table: `fragments_${id}`,
          msg: expect.stringContaining(`store restore-datastore ${id}`),
        }),
      )
    }
  },
)

test(
  'a datastore whose deletion broke off is seen by nobody, and gone after the next start',
  { tags: 'deep' },
  async () => {
    const { dataUri, ids } = await storeOf(1)
    const [id = ''] = ids
    const { client, close } = await start(dataUri)
    vi.spyOn(Database.prototype, 'dropTable').mockRejectedValueOnce(new Error('The disk is away.'))
    const path = { id }
    expect((await sdk.deleteDatastore({ client, path })).response?.status).toBe(500)
    expect(await listed(client)).toEqual([])
    const documents = [{ text: 'Late.' }]
    const calls = [
      sdk.getDatastore({ client, path }),
      sdk.deleteDatastore({ client, path }),
      sdk.listDatasources({ client, path }),
      sdk.queryDatastore({ client, path, body: { query: 'honey' } }),
      sdk.upsertDocuments({ client, path: { datastoreId: id }, body: { documents } }),
    ]
    const statuses = (await Promise.all(calls)).map(({ response }) => response?.status)
    expect(statuses).toEqual([404, 404, 404, 404, 404])
    await close()
    await start(dataUri)
    expect(await foldersOf(dataUri)).toEqual([])
  },
)

test(
  'a datastore whose making broke off is seen by nobody, and gone after the next start',
  { tags: 'deep' },
  async () => {
    const { dataUri, ids } = await storeOf(1)
    const { client, close } = await start(dataUri)
    vi.spyOn(Fragments.prototype, 'create').mockRejectedValueOnce(new Error('The disk is away.'))
    const { response } = await sdk.createDatastore({ client, body: { name: 'other' } })
    expect(response?.status).toBe(500)
    expect(await listed(client)).toEqual(ids)
    await close()
    expect(await listed((await start(dataUri)).client)).toEqual(ids)
  },
)

/** The tables that callers' things are in, and how many. */
async function rowsIn(dataUri: string): Promise<Record<string, number>> {
  const connection = await connect(dataUri)
  const names = await connection.tableNames()
  const things = names.filter((name) => !['keys', 'leases', 'store'].includes(name))
  const counts = things.map(async (name) => {
    const table = await connection.openTable(name)
    return [name, await table.countRows()] as const
  })
  return Object.fromEntries(await Promise.all(counts).finally(() => connection.close()))
}

test('on an object store a running server finishes deletions that another one left', async () => {
  const dataUri = pathToFileURL(await temporaryDirectory()).href
  const { client, close } = await openServer({ dataUri })
  const { agent, datastore } = await makeLearnedAgent(client, ['Bees make honey.'])
  await makeConversation(client, agent)
  const died = new Error('The server died.')
  vi.spyOn(Database.prototype, 'dropTable').mockRejectedValueOnce(died)
  vi.spyOn(Messages.prototype, 'removeOfAgent').mockRejectedValueOnce(died)
  const deleted = [
    await sdk.deleteDatastore({ client, path: { id: datastore } }),
    await sdk.deleteAgent({ client, path: { id: agent } }),
  ]
  expect(deleted.map(({ response }) => response?.status)).toEqual([500, 500])
  await close()
  const left = {
    agents: 1,
    datastores: 1,
    knowledge: 1,
    messages: 2,
    [`fragments_${datastore}`]: 1,
  }
  expect(await rowsIn(dataUri)).toEqual(left)

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  const other = await openServer({ dataUri, eraseHours: 1 })
  onTestFinished(other.close)
  const none = { agents: 0, datastores: 0, knowledge: 0, messages: 0 }
  await expect.poll(() => rowsIn(dataUri).catch(() => undefined)).toEqual(none)
  expect(other.logged.filter(({ level }) => Number(level) > 30)).toEqual([])
})

test('on an object store what another server still writes to a deleted datastore goes, too', async () => {
  const directory = await temporaryDirectory()
  const dataUri = pathToFileURL(directory).href
  const { client, close } = await openServer({ dataUri })
  const datastore = await makeDatastore(client)
  const data = join(directory, `fragments_${datastore}.lance`, 'data')
  await upsert(client, datastore, 'Bees make honey.')
  await sdk.deleteDatastore({ client, path: { id: datastore }, throwOnError: true })
  expect(await foldersOf(directory)).toEqual([])
  await close()
  await mkdir(data, { recursive: true })
  await writeFile(join(data, 'late.lance'), 'Bees make honey.')
  expect(await storeCommand(directory, 'check')).toMatchObject({ isWhole: true })

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  const { settings: provider } = await Provider.start()
  const other = await openServer({ dataUri, eraseHours: 1, provider })
  onTestFinished(other.close)
  await expect.poll(() => foldersOf(directory)).toEqual([])
  await expect.poll(async () => (await rowsIn(dataUri)).datastores).toBe(0)
  expect(other.logged.filter(({ level }) => Number(level) > 30)).toEqual([])
})

test(
  'a datastore that takes long to make comes after those that were made meanwhile',
  { tags: 'deep' },
  async () => {
    const { client } = await start(await temporaryDirectory())
    const { create } = Fragments.prototype
    const isQuickDone = Promise.withResolvers<void>()
    vi.spyOn(Fragments.prototype, 'create').mockImplementationOnce(async function (
      this: Fragments,
      ...args
    ) {
      await isQuickDone.promise
      return create.apply(this, args)
    })
    const slow = makeDatastore(client, 'slow')
    const quick = await makeDatastore(client, 'quick')
    isQuickDone.resolve()
    expect(await listed(client)).toEqual([quick])
    const ids = [quick, await slow]
    expect(await listed(client)).toEqual(ids)
  },
)
