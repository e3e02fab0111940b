import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { DatastoreFields } from '../../src/domain/datastores.ts'
import { toMarked } from '../../src/domain/marks.ts'
import { Database } from '../../src/store/database.ts'
import { Fragments } from '../../src/store/fragments/fragments.ts'
import { Records } from '../../src/store/records/records.ts'
import { openDatabase, openServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

/** What a crash between two steps of making or deleting a datastore leaves is finished or undone. */
afterEach(() => vi.restoreAllMocks())

async function start(dataUri: string) {
  const server = await openServer({ dataUri })
  onTestFinished(server.close)
  return server
}

/** A closed store with a datastore of one document. */
async function storeOfOne() {
  const dataUri = await temporaryDirectory()
  const { client, close } = await openServer({ dataUri })
  const id = await makeDatastore(client)
  await upsert(client, id, 'Bees make honey.')
  await close()
  return { dataUri, id }
}

async function onStore(
  dataUri: string,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const database = await openDatabase(dataUri)
  await work(database)
  database.close()
}

const mark = (dataUri: string, id: string, doing: 'making' | 'deleting') =>
  onStore(dataUri, async (database) => {
    const records = await Records.open<DatastoreFields>(database, 'datastores')
    await records.move((await records.get(id))!, toMarked({ doing, workspace: 'default' }))
    await records.idle()
  })

const foldersOf = async (dataUri: string): Promise<string[]> =>
  (await readdir(dataUri)).filter((name) => name.startsWith('fragments_'))

const listed = async (client: Awaited<ReturnType<typeof start>>['client']): Promise<string[]> => {
  const { data } = await sdk.listDatastores({ client, throwOnError: true })
  return data.data.map(({ id }) => id)
}

describe('a start', () => {
  test.each([
    ['before its table was made', 0],
    ['after its table was made', 1],
  ])('undoes the making of a datastore that was cut off %s', async (_, tables) => {
    const { dataUri, id } = await storeOfOne()
    await onStore(dataUri, async (database) => {
      const records = await Records.open<DatastoreFields>(database, 'datastores')
      const workspace = toMarked({ doing: 'making', workspace: 'default' })
      const made = { embeddingModel: 'hashing-2', dimensions: 1024, fragmentLength: 2_000 }
      const fields = { name: 'cut off', ...made }
      await records.insert('dst_cut', workspace, fields)
      if (tables > 0) await new Fragments(database).create('dst_cut', 1024)
      await records.idle()
    })
    const { client } = await start(dataUri)
    expect(await listed(client)).toEqual([id])
    expect(await foldersOf(dataUri)).toEqual([`fragments_${id}.lance`])
    expect((await query(client, id, { query: 'honey' })).length).toBe(1)
  })

  test.each([
    ['before its table was dropped', [] as string[]],
    ['while its table was dropped', ['_versions']],
    ['while its table was dropped, early', ['data']],
    ['after its table was dropped', ['']],
  ])('finishes the deletion of a datastore that was cut off %s', async (_, gone) => {
    const { dataUri, id } = await storeOfOne()
    await mark(dataUri, id, 'deleting')
    for (const part of gone) {
      await rm(join(dataUri, `fragments_${id}.lance`, part), { recursive: true })
    }
    const { client, logged } = await start(dataUri)
    expect(await listed(client)).toEqual([])
    expect(await foldersOf(dataUri)).toEqual([])
    expect(logged.filter(({ level }) => Number(level) > 30)).toEqual([])
  })

  test('drops no table with documents of a datastore that was made', async () => {
    const { dataUri, id } = await storeOfOne()
    await mark(dataUri, id, 'making')
    const { client } = await start(dataUri)
    expect(await listed(client)).toEqual([id])
    expect((await query(client, id, { query: 'honey' }))[0]?.text).toBe('Bees make honey.')
  })

  test.each(['empty', 'with documents'])(
    'keeps a table that nobody marked and no datastore names (%s), and says so',
    async (kind) => {
      const { dataUri, id } = await storeOfOne()
      await onStore(dataUri, async (database) => {
        if (kind === 'empty') await new Fragments(database).create('dst_unnamed', 2)
        const records = await Records.open<DatastoreFields>(database, 'datastores')
        if (kind !== 'empty') await records.remove((await records.get(id))!)
        await records.idle()
      })
      const unnamed = kind === 'empty' ? 'dst_unnamed' : id
      const { logged, close } = await start(dataUri)
      await close()
      expect(await foldersOf(dataUri)).toContain(`fragments_${unnamed}.lance`)
      expect(logged).toContainEqual(
        expect.objectContaining({
          table: `fragments_${unnamed}`,
          msg: expect.stringContaining(`store restore-datastore ${unnamed}`),
        }),
      )
    },
  )
})

test('a datastore whose deletion broke off is seen by nobody, and gone after the next start', async () => {
  const { dataUri, id } = await storeOfOne()
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
})

test('a datastore whose making broke off is seen by nobody, and gone after the next start', async () => {
  const { dataUri, id } = await storeOfOne()
  const { client, close } = await start(dataUri)
  vi.spyOn(Fragments.prototype, 'create').mockRejectedValueOnce(new Error('The disk is away.'))
  const { response } = await sdk.createDatastore({ client, body: { name: 'other' } })
  expect(response?.status).toBe(500)
  expect(await listed(client)).toEqual([id])
  await close()
  expect(await listed((await start(dataUri)).client)).toEqual([id])
})

test('a datastore that takes long to make comes after those that were made meanwhile', async () => {
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
})
