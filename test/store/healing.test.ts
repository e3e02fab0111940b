import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { filesOf } from '../support/files.ts'
import { callTool } from '../support/mcp.ts'
import { startServer, temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { makeAgent, makeDatastore, query, upsert } from '../support/things.ts'

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

/** A store whose last commit is known: what it was before, and which files came with it. */
async function storeWith(last: 'an upsert' | 'a delete') {
  const directory = await temporaryDirectory()
  const { client, close } = await startServer({ dataUri: directory })
  const id = await makeDatastore(client)
  const [first = '', second = ''] = await upsert(client, id, 'The first.', 'The second.')
  const before = await filesOf(directory)
  if (last === 'an upsert') await upsert(client, id, 'The last.')
  else await sdk.deleteDatasource({ client, path: { id, datasourceId: second } })
  await close()
  const after = [...(await filesOf(directory)).keys()].filter((file) => !before.has(file))
  const newest = (folder: string) => {
    const file = after.find((one) => one.split(sep)[1] === folder)
    if (file === undefined) throw new Error(`Nothing new in ${folder}: ${after}`)
    return file
  }
  return { directory, id, first, second, newest }
}

async function copyOf(directory: string): Promise<string> {
  const copy = await temporaryDirectory()
  await cp(directory, copy, { recursive: true })
  return copy
}

const upserted = await storeWith('an upsert')
const deleted = await storeWith('a delete')

describe('a table whose newest version is torn', () => {
  test.each([
    ['manifest emptied', upserted, '_versions', empty],
    ['manifest cut in half', upserted, '_versions', cut],
    ['manifest cut so that LanceDB panics', upserted, '_versions', cutToPanic],
    ['data file emptied', upserted, 'data', empty],
    ['data file cut in half', upserted, 'data', cut],
    ['data file removed', upserted, 'data', remove],
    ['deletion file emptied', deleted, '_deletions', empty],
    ['deletion file cut in half', deleted, '_deletions', cut],
    ['deletion file removed', deleted, '_deletions', remove],
  ] as const)(
    '%s: it goes back one version, says so and works on',
    { tags: 'deep' },
    async (_, store, folder, tear) => {
      const { id, first, second, newest } = store
      const dataUri = await copyOf(store.directory)
      await tear(join(dataUri, newest(folder)))
      const server = await startServer({ dataUri })
      const { client } = server
      expect((await query(client, id, { query: 'The first.' })).length).toBe(2)
      expect(server.logged.filter(({ msg }) => msg === told)).toHaveLength(1)
      for (const datasourceId of [first, second]) {
        const { data } = await sdk.getDatasource({ client, path: { id, datasourceId } })
        expect(data?.id).toBe(datasourceId)
      }
      const [third = ''] = await upsert(client, id, 'Written after.')
      await sdk.deleteDatasource({ client, path: { id, datasourceId: first }, throwOnError: true })
      await server.close()

      const again = await startServer({ dataUri })
      const { data } = await sdk.listDatasources({
        client: again.client,
        path: { id },
        throwOnError: true,
      })
      expect(data.data.map((one) => one.id)).toEqual([second, third])
      expect(again.logged.filter(({ msg }) => msg === told)).toEqual([])
      await again.close()
    },
  )

  test('loses nothing where that is a file for writers alone', async () => {
    const { directory, id, newest } = upserted
    const dataUri = await copyOf(directory)
    await empty(join(dataUri, newest('_transactions')))
    const { client, close } = await startServer({ dataUri })
    await upsert(client, id, 'Written after.')
    const { data } = await sdk.getDatastore({ client, path: { id } })
    expect(data?.datasourceCount).toBe(4)
    await close()
  })

  test('is told of in a line of JSON on stderr', { tags: 'deep' }, async () => {
    const { directory, id, newest } = upserted
    const dataUri = await copyOf(directory)
    await empty(join(dataUri, newest('_versions')))
    const server = await spawnServer({ DATA_URI: dataUri, INITIAL_KEY: testKey })
    let stderr = ''
    server.process.stderr?.on('data', (bytes) => (stderr += String(bytes)))
    try {
      const headers = { authorization: `Bearer ${testKey}` }
      expect((await fetch(`${server.url}/datastores/${id}`, { headers })).status).toBe(200)
      await expect.poll(() => stderr).toContain(told)
      const line = stderr.split('\n').find((one) => one.includes(told)) ?? ''
      expect(JSON.parse(line)).toMatchObject({ msg: told, table: `fragments_${id}` })
    } finally {
      await server.kill('SIGKILL')
    }
  })
})

const manifestsOf = async (directory: string, table: string) =>
  (await readdir(join(directory, table, '_versions')))
    .filter((name) => name.endsWith('.manifest'))
    .map((name) => join(directory, table, '_versions', name))

test.each([
  ['emptied', empty],
  ['cut in half', cut],
])('a table of records whose making was %s is made again', async (_, tear) => {
  const dataUri = await copyOf(upserted.directory)
  const manifests = await manifestsOf(dataUri, 'agents.lance')
  expect(manifests).toHaveLength(1)
  await tear(manifests[0]!)
  const { client, close } = await startServer({ dataUri })
  const { id } = await makeAgent(client)
  await close()
  const again = await startServer({ dataUri })
  expect((await sdk.getAgent({ client: again.client, path: { id } })).data?.id).toBe(id)
})

/** An assistant finds what can be read, and is told of what cannot. */
async function expectLeftOut(url: string, id: string, text: string): Promise<void> {
  const found = await (await callTool(url, 'search', { query: text })).text()
  expect(found).toContain(text)
  expect(found).toContain(`(${id}) was left out.`)
  const alone = await (await callTool(url, 'search', { query: text, datastore: id })).text()
  expect(alone).toContain('"isError":true')
}

describe('a table without a whole version', () => {
  test('stops the start where it has records, and nothing is changed', async () => {
    const dataUri = await copyOf(upserted.directory)
    for (const manifest of await manifestsOf(dataUri, 'keys.lance')) await empty(manifest)
    const before = await filesOf(join(dataUri, 'keys.lance'))
    await expect(startServer({ dataUri })).rejects.toThrow(
      'The table keys is damaged, and not as a power cut leaves it',
    )
    expect(await filesOf(join(dataUri, 'keys.lance'))).toEqual(before)
  })

  test('answers 503 where it has documents, is listed, and can be deleted', async () => {
    const { directory, id } = upserted
    const dataUri = await copyOf(directory)
    const table = `fragments_${id}.lance`
    for (const manifest of await manifestsOf(dataUri, table)) await cut(manifest)
    const before = await filesOf(join(dataUri, table))
    const { client, logged, url } = await startServer({ dataUri })
    const { response, error } = await sdk.getDatastore({ client, path: { id } })
    expect([response?.status, error?.code]).toEqual([503, 'unavailable'])
    expect(JSON.stringify(logged)).toMatch(/is damaged.*newest copy/)
    expect(await filesOf(join(dataUri, table))).toEqual(before)
    const other = await makeDatastore(client)
    await upsert(client, other, 'Elsewhere.')
    const idsOf = async () => {
      const { data } = await sdk.listDatastores({ client, throwOnError: true })
      return data.data.map((one) => [one.id, one.fragmentCount])
    }
    expect(await idsOf()).toEqual([
      [id, 0],
      [other, 1],
    ])
    await expectLeftOut(url, id, 'Elsewhere.')
    expect((await sdk.deleteDatastore({ client, path: { id } })).response?.status).toBe(200)
    expect(await idsOf()).toEqual([[other, 1]])
  })
})

test('a table that was stopped gives up no more than its newest version', async () => {
  const dataUri = await copyOf(upserted.directory)
  const { id } = upserted
  const data = join(dataUri, `fragments_${id}.lance`, 'data')
  const older = [...(await readdir(data))].map((name) => join(data, name))
  // The last upsert is whole, and the file of all that came before it is gone.
  for (const file of older) if (file !== join(dataUri, upserted.newest('data'))) await remove(file)
  const { client, close } = await startServer({ dataUri })
  expect((await sdk.getDatastore({ client, path: { id } })).response?.status).toBe(503)
  await close()
  const manifests = await manifestsOf(dataUri, `fragments_${id}.lance`)
  const undamaged = await manifestsOf(upserted.directory, `fragments_${id}.lance`)
  expect(manifests).toHaveLength(undamaged.length)
})

test('a datastore whose table is missing is listed as empty, and can be deleted', async () => {
  const dataUri = await copyOf(upserted.directory)
  const { id } = upserted
  await rm(join(dataUri, `fragments_${id}.lance`), { recursive: true })
  const { client, url } = await startServer({ dataUri })
  expect((await sdk.getDatastore({ client, path: { id } })).response?.status).toBe(503)
  const other = await makeDatastore(client)
  await upsert(client, other, 'Elsewhere.')
  await expectLeftOut(url, id, 'Elsewhere.')
  await sdk.deleteDatastore({ client, path: { id: other } })
  expect((await sdk.deleteDatastore({ client, path: { id } })).response?.status).toBe(200)
  const { data } = await sdk.listDatastores({ client, throwOnError: true })
  expect(data.data).toEqual([])
})
