import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'
import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { filesOf } from '../support/files.ts'
import { openServer, temporaryDirectory } from '../support/server.ts'
import { makeAgent, makeDatastore, query, upsert } from '../support/things.ts'
import { copyOf } from '../support/whole-store.ts'

const told = 'a table went back to its newest whole version'

const empty = (file: string) => truncate(file, 0)
const cut = async (file: string) => truncate(file, Math.floor((await stat(file)).size / 2))
const remove = (file: string) => rm(file)

/** The footer of what is left points to its end, where LanceDB's reader panics. */
async function cutToPanic(file: string): Promise<void> {
  const bytes = await readFile(file)
  bytes.writeBigUInt64LE(BigInt(bytes.length), bytes.length - 16)
  await writeFile(file, bytes)
}

type Store = { id: string; first: string; second: string; newest: (folder: string) => string }

/** A closed store whose datastores have two texts and this after them, and the files that came with it. */
async function storeOf(lasts: ('an upsert' | 'a delete')[]) {
  const directory = await temporaryDirectory()
  const { client, close } = await openServer({ dataUri: directory })
  const made: { id: string; ids: string[] }[] = []
  for (const _ of lasts) {
    const id = await makeDatastore(client)
    made.push({ id, ids: await upsert(client, id, 'The first.', 'The second.') })
  }
  const before = await filesOf(directory)
  // At once, so that nothing is merged between them and the stop.
  const last = ({ id, ids }: (typeof made)[number], index: number) =>
    lasts[index] === 'an upsert'
      ? upsert(client, id, 'The last.')
      : sdk.deleteDatasource({ client, path: { id, datasourceId: ids[1]! } })
  await Promise.all(made.map(last))
  await close()
  const added = [...(await filesOf(directory)).keys()].filter((file) => !before.has(file))
  const stores = made.map(({ id, ids: [first = '', second = ''] }): Store => {
    const newest = (folder: string) => {
      const file = added.find((one) => one.startsWith(join(`fragments_${id}.lance`, folder, sep)))
      if (file === undefined) throw new Error(`Nothing new in ${folder}: ${added}`)
      return file
    }
    return { id, first, second, newest }
  })
  return { directory, stores }
}

const tears = {
  'manifest emptied': ['an upsert', '_versions', empty],
  'manifest cut in half': ['an upsert', '_versions', cut],
  'manifest cut so that LanceDB panics': ['an upsert', '_versions', cutToPanic],
  'data file emptied': ['an upsert', 'data', empty],
  'data file cut in half': ['an upsert', 'data', cut],
  'data file removed': ['an upsert', 'data', remove],
  'deletion file emptied': ['a delete', '_deletions', empty],
  'deletion file cut in half': ['a delete', '_deletions', cut],
  'deletion file removed': ['a delete', '_deletions', remove],
} as const

test('a table whose newest version is torn goes back one version, says so and works on', async () => {
  const { directory: dataUri, stores } = await storeOf(Object.values(tears).map(([last]) => last))
  const torn = Object.entries(tears).map(([name, [, folder, tear]], index) => {
    return { name, store: stores[index]!, folder, tear }
  })
  for (const { store, folder, tear } of torn) await tear(join(dataUri, store.newest(folder)))
  const { client, logged, close } = await openServer({ dataUri })
  const expected: unknown[] = []
  for (const { name, store } of torn) {
    const { id, first, second } = store
    expect.soft(await query(client, id, { query: 'The first.' }), name).toHaveLength(2)
    expect.soft(await idsOf(client, id), name).toEqual([first, second])
    const [third] = await upsert(client, id, 'Written after.')
    await sdk.deleteDatasource({ client, path: { id, datasourceId: first }, throwOnError: true })
    expected.push([name, [second, third]])
  }
  const tables = logged.filter(({ msg }) => msg === told).map(({ table }) => table)
  expect(tables.toSorted()).toEqual(stores.map(({ id }) => `fragments_${id}`).toSorted())
  await close()

  const again = await openServer({ dataUri })
  const found = torn.map(async ({ name, store }) => [name, await idsOf(again.client, store.id)])
  expect(await Promise.all(found)).toEqual(expected)
  expect(again.logged.filter(({ msg }) => msg === told)).toEqual([])
  await again.close()
})

async function idsOf(client: Client, id: string): Promise<string[]> {
  const { data } = await sdk.listDatasources({ client, path: { id }, throwOnError: true })
  return data.data.map((one) => one.id)
}

const upserted = await storeOf(['an upsert', 'an upsert', 'an upsert'])

test('a torn file that is for writers alone loses nothing', async () => {
  const dataUri = await copyOf(upserted.directory)
  const [{ id, newest }] = upserted.stores as [Store]
  await empty(join(dataUri, newest('_transactions')))
  const { client, close } = await openServer({ dataUri })
  await upsert(client, id, 'Written after.')
  expect(await idsOf(client, id)).toHaveLength(4)
  await close()
})

const manifestsOf = async (directory: string, table: string) =>
  (await readdir(join(directory, table, '_versions')))
    .filter((name) => name.endsWith('.manifest'))
    .map((name) => join(directory, table, '_versions', name))

test('a table of records whose making was torn is made again', async () => {
  const dataUri = await copyOf(upserted.directory)
  for (const [table, tear] of [
    ['agents.lance', empty],
    ['knowledge.lance', cut],
  ] as const) {
    const manifests = await manifestsOf(dataUri, table)
    expect(manifests).toHaveLength(1)
    await tear(manifests[0]!)
  }
  const { client, close } = await openServer({ dataUri })
  const { id } = await makeAgent(client)
  const datastoreIds = [upserted.stores[0]!.id]
  await sdk.putKnowledge({ client, path: { id }, body: { datastoreIds }, throwOnError: true })
  await close()
  const again = await openServer({ dataUri })
  expect((await sdk.getAgent({ client: again.client, path: { id } })).data?.id).toBe(id)
  const { data } = await sdk.getKnowledge({ client: again.client, path: { id } })
  expect(data).toMatchObject({ datastoreIds })
  await again.close()
})

test('a table of records without a whole version stops the start, and nothing is changed', async () => {
  const dataUri = await copyOf(upserted.directory)
  for (const manifest of await manifestsOf(dataUri, 'keys.lance')) await empty(manifest)
  const before = await filesOf(join(dataUri, 'keys.lance'))
  await expect(openServer({ dataUri })).rejects.toThrow(
    'The table keys is damaged, and not as a power cut leaves it',
  )
  expect(await filesOf(join(dataUri, 'keys.lance'))).toEqual(before)
})

test('a datastore whose table is lost answers 503, is listed as empty, and can be deleted', async () => {
  const dataUri = await copyOf(upserted.directory)
  const [missing, cutOff, gone] = upserted.stores.map(({ id }) => id) as [string, string, string]
  const tableOf = (id: string) => `fragments_${id}.lance`
  await rm(join(dataUri, tableOf(missing)), { recursive: true })
  for (const manifest of await manifestsOf(dataUri, tableOf(cutOff))) await cut(manifest)
  // The last upsert is whole, and the file of all that came before it is gone.
  const data = join(dataUri, tableOf(gone), 'data')
  const last = join(dataUri, upserted.stores[2]!.newest('data'))
  for (const name of await readdir(data)) {
    if (join(data, name) !== last) await remove(join(data, name))
  }
  const before = await filesOf(join(dataUri, tableOf(cutOff)))
  const manifests = await manifestsOf(dataUri, tableOf(gone))
  const { client, logged, close } = await openServer({ dataUri })
  for (const id of [missing, cutOff, gone]) {
    const { response, error } = await sdk.getDatastore({ client, path: { id } })
    expect([response?.status, error?.code]).toEqual([503, 'unavailable'])
  }
  expect(JSON.stringify(logged)).toMatch(/is damaged.*newest copy/)
  // Neither is changed, and the one that was stopped gives up no more than its newest version.
  expect(await filesOf(join(dataUri, tableOf(cutOff)))).toEqual(before)
  expect(await manifestsOf(dataUri, tableOf(gone))).toEqual(manifests)
  const other = await makeDatastore(client)
  await upsert(client, other, 'Elsewhere.')
  const counts = async () => {
    const listed = await sdk.listDatastores({ client, throwOnError: true })
    return listed.data.data.map((one) => [one.id, one.fragmentCount])
  }
  const lost = [missing, cutOff, gone].map((id) => [id, 0])
  expect(await counts()).toEqual([...lost, [other, 1]])
  for (const id of [missing, cutOff, gone]) {
    expect((await sdk.deleteDatastore({ client, path: { id } })).response?.status).toBe(200)
  }
  expect(await counts()).toEqual([[other, 1]])
  await close()
})
