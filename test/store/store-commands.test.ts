import { connect } from '@lancedb/lancedb'
import { CommanderError } from 'commander'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { CommandFailed } from '../../cli/src/failures.ts'
import { Fragments } from '../../src/store/fragments/fragments.ts'
import { damageFile, replaceTable } from '../support/damages.ts'
import { filesOf } from '../support/files.ts'
import { Random } from '../support/random.ts'
import { checkedClient, openDatabase, openServer, temporaryDirectory } from '../support/server.ts'
import { query } from '../support/things.ts'
import { serviceCommand as cli } from '../support/service-command.ts'
import { storeCommand as run } from '../support/store-command.ts'
import { copyOf, idsOf, wholeStore } from '../support/whole-store.ts'

const { directory, datastores, ids } = await wholeStore()
const [first = ''] = datastores

const noKeys = /^The table keys is missing or empty.*keys create.*INITIAL_KEY\.$/

const away = (dataUri: string, table: string) =>
  rm(join(dataUri, `${table}.lance`), { recursive: true })

/** What a server finds on the store. */
async function foundOn(dataUri: string) {
  const { client, close, logged } = await openServer({ dataUri })
  onTestFinished(close)
  const told = logged.filter(({ level }) => Number(level) > 30)
  return { client, told, ids: await idsOf(client, datastores), close }
}

test('a whole store is said to be whole, and nothing is changed', async () => {
  const copy = await copyOf(directory)
  const before = await filesOf(copy)
  const { text, isWhole } = await run(copy, 'check')
  expect(isWhole).toBe(true)
  expect(text).toMatch(new RegExp(`^fragments_${first} {2}24 rows {2}whole$`, 'm'))
  for (const table of ['store', 'datastores', 'agents', 'keys', 'knowledge', 'messages']) {
    expect(text).toMatch(new RegExp(`^${table} {2}\\d+ rows {2}whole$`, 'm'))
  }
  const after = await filesOf(copy)
  after.delete('owner.lock')
  before.delete('owner.lock')
  expect(after).toEqual(before)
})

const lineOf: Record<string, RegExp> = {
  store: /^store {2}is missing\..*restore-format/m,
  datastores: /^datastores {2}is missing\..*restore-datastore ID/m,
  agents: /^agents {2}is missing\./m,
  knowledge: /^knowledge {2}is missing\./m,
  messages: /^messages {2}is missing\./m,
  keys: /^keys {2}is missing\..*keys create/m,
  [`fragments_${first}`]: /^fragments_\w+ {2}is missing\..*newest copy/m,
}

test('each table that is missing is found, and the others are whole', async () => {
  const copy = await copyOf(directory)
  // The first names what the others are.
  for (const tables of [Object.keys(lineOf).slice(2), Object.keys(lineOf).slice(0, 2)]) {
    for (const table of tables) await away(copy, table)
    const { text, isWhole } = await run(copy, 'check')
    expect(isWhole).toBe(false)
    for (const table of tables) expect.soft(text).toMatch(lineOf[table]!)
    expect(text.match(/is missing/g)).toHaveLength(tables.length)
    for (const table of tables) await replaceTable(copy, table, directory)
  }
  expect((await run(copy, 'check')).isWhole).toBe(true)
})

test('each table that is damaged is found, and stays as it is', async () => {
  const copy = await copyOf(directory)
  const tables = Object.keys(lineOf)
  for (const table of tables) {
    await damageFile(join(copy, `${table}.lance`), 'data', new Random(1), true)
  }
  const before = await filesOf(copy)
  const { text, isWhole } = await run(copy, 'check')
  expect(isWhole).toBe(false)
  for (const table of tables) {
    expect.soft(text).toMatch(new RegExp(`^${table} .*is damaged: .*newest copy`, 'm'))
  }
  const after = await filesOf(copy)
  for (const files of [before, after]) files.delete('owner.lock')
  expect(after).toEqual(before)
})

test(
  'every datastore is made again of its documents where their list is lost',
  { tags: 'deep' },
  async () => {
    const copy = await copyOf(directory)
    await away(copy, 'datastores')
    await expect(openServer({ dataUri: copy })).rejects.toThrow('store restore-datastore ID')
    for (const id of datastores) {
      const { text } = await run(copy, 'restore-datastore', id, '--name', `of ${id}`)
      expect(text).toContain(id)
    }
    const { client, ids: found, told, close } = await foundOn(copy)
    expect([found, told]).toEqual([ids, []])
    const { data } = await sdk.getDatastore({ client, path: { id: first } })
    expect(data).toMatchObject({
      name: `of ${first}`,
      embeddingModel: 'hashing-2',
      dimensions: 1024,
    })
    expect((await query(client, first, { query: 'Text 3' })).length).toBe(5)
    await close()
    await expect(run(copy, 'restore-datastore', first)).rejects.toThrow(CommandFailed)
    expect((await run(copy, 'check')).isWhole).toBe(true)
  },
)

test('a datastore is restored into the workspace that is named, with the model its table names', async () => {
  const copy = await copyOf(directory)
  const database = await openDatabase(copy)
  await new Fragments(database).create('dst_own', 3, { model: 'own-model' })
  await new Fragments(database).create('dst_old', 3)
  database.close()
  expect((await run(copy, 'check')).text).toMatch(/^fragments_dst_own .*belongs to no datastore/m)
  await run(copy, 'restore-datastore', 'dst_own', '--workspace', 'ann')
  const again = run(copy, 'restore-datastore', 'dst_own', '--workspace', 'ann')
  await expect(again).rejects.toThrow('There is a datastore dst_own')
  await expect(run(copy, 'restore-datastore', 'dst_old')).rejects.toThrow('--embedding-model')
  await run(copy, 'restore-datastore', 'dst_old', '--embedding-model', 'old-model')
  const { client } = await foundOn(copy)
  const get = (id: string) => sdk.getDatastore({ client, path: { id } })
  expect((await get('dst_own')).response?.status).toBe(404)
  expect((await get('dst_old')).data).toMatchObject({
    name: 'restored',
    embeddingModel: 'old-model',
  })
})

test(
  'without the format the store is marked again, unless it is of another version',
  { tags: 'deep' },
  async () => {
    const copy = await copyOf(directory)
    await away(copy, 'store')
    const other = await copyOf(copy)
    await expect(openServer({ dataUri: copy })).rejects.toThrow('store restore-format')
    await run(copy, 'restore-format')
    expect((await foundOn(copy)).ids).toEqual(ids)

    const connection = await connect(other)
    await connection.createTable('fragments_dst_other', [{ id: 'a', text: 'b' }])
    connection.close()
    await expect(run(other, 'restore-format')).rejects.toThrow(/fragments_dst_other .*lacks/)
  },
)

test('without keys a start makes none, and the command line does', async () => {
  const copy = await copyOf(directory)
  await rename(join(copy, 'keys.lance'), join(copy, 'kept'))
  await expect(openServer({ dataUri: copy })).rejects.toThrow(noKeys)
  expect(await readdir(copy)).not.toContain('keys.lance')
  const words = ['--name', 'new', '--scopes', 'datastores:read', '--json']
  const { key } = JSON.parse((await cli({ DATA_URI: copy }, 'keys', 'create', ...words)).stdout)
  const { close, url, client } = await openServer({ dataUri: copy })
  const found = await sdk.listDatastores({ client: checkedClient(url, key) })
  expect(found.data?.data.map(({ id }) => id)).toEqual(datastores)
  expect((await sdk.listDatastores({ client })).response?.status).toBe(401)
  await close()
})

test('a table of records that was only emptied is not taken for a new one', async () => {
  const copy = await copyOf(directory)
  for (const table of ['keys', 'store']) {
    const connection = await connect(copy)
    const lance = await connection.openTable(table)
    await lance.delete('true')
    connection.close()
  }
  await expect(openServer({ dataUri: copy })).rejects.toThrow('store restore-format')
  await run(copy, 'restore-format')
  await expect(openServer({ dataUri: copy })).rejects.toThrow(noKeys)
})

test.each([
  ['nothing', []],
  ['another verb', ['mend']],
  ['no id', ['restore-datastore']],
  ['an id too many', ['check', 'dst_a']],
  ['an unknown option', ['check', '--all']],
  ['a workspace that is none', ['restore-datastore', 'dst_a', '--workspace', 'Bad WS!']],
])('%s is a mistake in the command', async (_, args) => {
  await expect(run(directory, ...args)).rejects.toThrow(CommanderError)
})

test('where there is no store, none is made', async () => {
  const missing = join(await temporaryDirectory(), 'missing')
  await expect(run(missing, 'check')).rejects.toThrow(`There is no store at ${missing}`)
  await expect(run(directory, 'restore-datastore', 'dst_none')).rejects.toThrow(CommandFailed)
})

test('it exits 0 for a whole store, 1 for another or one in use, 2 for a mistake', async () => {
  const copy = await copyOf(directory)
  const check = (...words: string[]) => cli({ DATA_URI: copy }, 'store', ...words)
  expect(await check('check')).toMatchObject({ code: 0, stdout: expect.stringContaining('whole') })
  expect((await check('mend')).code).toBe(2)
  const { close } = await openServer({ dataUri: copy })
  const inUse = { code: 1, stderr: expect.stringContaining('Stop it') }
  expect(await check('check')).toMatchObject(inUse)
  await close()
  await away(copy, `fragments_${first}`)
  expect((await check('check')).code).toBe(1)
})
