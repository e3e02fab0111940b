import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import * as sdk from '../../../generated/sdk.gen.ts'
import { type MetadataFilter, QueryMode } from '../../../generated/types.gen.ts'
import { currentFormat } from '../../../src/store/fragments/formats.ts'
import { damageFile, replaceTable } from '../../support/damages.ts'
import { Random } from '../../support/random.ts'
import { checkedClient, openServer } from '../../support/server.ts'
import { query } from '../../support/things.ts'
import { copyOf } from '../../support/whole-store.ts'
import { repeated } from './documents.ts'
import {
  contents,
  contentsOn,
  embedded,
  formatOf,
  holders,
  library,
  manuals,
  lackingColumns,
  unpack,
  withTable,
} from './old-store.ts'
import { startOn } from './packed-store.ts'
import { storeCommand } from '../../support/store-command.ts'

const [{ key }, { key: keyOfAnn }] = holders
const datastores = [library, embedded, manuals]
const tableOf = (id: string): string => `fragments_${id}`

async function expectUpgraded(directory: string): Promise<void> {
  expect(await Promise.all(datastores.map((id) => lackingColumns(directory, id)))).toEqual([
    0, 0, 0,
  ])
  expect(await formatOf(directory)).toEqual({ format: currentFormat })
}

const vectorsOf = (directory: string, id: string) =>
  withTable(directory, tableOf(id), async (table) => {
    const rows = await table.query().select(['id', 'offset', 'text', 'vector']).toArray()
    return JSON.parse(JSON.stringify(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))))
  })

test('an old store has all that it had, as it was', { tags: 'deep' }, async () => {
  const directory = await unpack()
  const formatTold = async () => {
    const { text } = await storeCommand(directory, 'check')
    return /^The store has format .*$/m.exec(text)?.[0]
  }
  expect(await formatTold()).toBe('The store has format 5; the next start upgrades it.')
  const provided = await vectorsOf(directory, embedded)
  const { logged } = await startOn(directory, async (server) => {
    expect(await contentsOn(server)).toEqual(contents)
    const client = checkedClient(server.url, key)
    const ann = checkedClient(server.url, keyOfAnn)
    const { data } = await sdk.getDatastore({ client, path: { id: library } })
    expect(data).toMatchObject({ name: 'library', embeddingModel: 'hashing-2', datasourceCount: 7 })
    const other = await sdk.getDatastore({ client, path: { id: embedded } })
    expect(other.data).toMatchObject({ embeddingModel: 'stand-in-4', dimensions: 4 })

    const [first] = await query(client, library, { query: 'When does the reading room open?' })
    expect(first).toMatchObject({ datasource_name: 'Hours' })
    const mode = QueryMode.KEYWORD
    const filtered = { query: 'naïve café', filters: { custom_ids: ['zwei'] } }
    expect(await query(client, library, filtered)).toHaveLength(1)
    const namesOf = async (metadata: MetadataFilter) => {
      const found = await query(client, library, {
        query: 'books',
        filters: { metadata },
        topK: 100,
      })
      return new Set(found.map(({ datasource_name }) => datasource_name))
    }
    expect(await namesOf({ type: 'gt', key: 'pages', value: 2 })).toEqual(new Set(['Assembly']))
    const isNotHours = { type: 'ne', key: 'custom_id', value: 'hours' } as const
    const others = await namesOf(isNotHours)
    expect([others.has('Hours'), others.has('Lending')]).toEqual([false, true])
    const path = { id: library, key: 'own' }
    const put = await sdk.putDocument({ client, path, body: { text: 'Own.' } })
    const gone = await sdk.deleteDocument({ client, path })
    expect([put.response?.status, gone.response?.status]).toEqual([201, 200])
    expect(await query(ann, manuals, { query: 'oiled', mode })).toMatchObject([
      { datasource_name: 'Chain' },
    ])

    const again = await sdk.upsertDocuments({
      client,
      path: { datastoreId: library },
      ...repeated,
    })
    expect(again.response?.status).toBe(200)
    const other422 = { ...repeated, body: { documents: [{ text: 'Another.' }] } }
    const refused = await sdk.upsertDocuments({
      client,
      path: { datastoreId: library },
      ...other422,
    })
    expect(refused.response?.status).toBe(422)
    expect(await contentsOn(server)).toEqual(contents)
  })
  expect(logged).toMatch(/"left":0,"msg":"upgraded the store"/)
  expect(await vectorsOf(directory, embedded)).toEqual(provided)
  await expectUpgraded(directory)
  expect(await formatTold()).toBe(`The store has format ${currentFormat}.`)
  expect((await startOn(directory, contentsOn)).logged).not.toContain('upgrad')
})

test(
  'a datastore whose table is damaged or missing keeps no other from being upgraded, and is once it is put back',
  { tags: 'deep' },
  async () => {
    const directory = await unpack()
    const whole = await copyOf(directory)
    await damageFile(join(directory, `${tableOf(library)}.lance`), '_versions', new Random(1), true)
    await rm(join(directory, `${tableOf(embedded)}.lance`), { recursive: true })
    const { logged } = await startOn(directory, async ({ url }) => {
      for (const id of [library, embedded]) {
        const got = sdk.getDatastore({ client: checkedClient(url, key), path: { id } })
        expect((await got).response?.status).toBe(503)
      }
      const found = await query(checkedClient(url, keyOfAnn), manuals, { query: 'oiled' })
      expect(found[0]).toMatchObject({ datasource_name: 'Chain' })
    })
    expect(logged).toContain(`newest copy`)
    expect(logged).toContain('"left":2')
    expect(await lackingColumns(directory, manuals)).toBe(0)
    for (const id of [library, embedded]) await replaceTable(directory, tableOf(id), whole)
    expect((await startOn(directory, contentsOn)).found).toEqual(contents)
    await expectUpgraded(directory)
  },
)

test(
  'tables put back from an old copy are upgraded by the next start, or refused while it runs',
  { tags: 'deep' },
  async () => {
    const directory = await unpack()
    const old = await copyOf(directory)
    await startOn(directory, contentsOn)
    // The list of datastores shows that a copy was put back.
    await replaceTable(directory, tableOf(manuals), old)
    await replaceTable(directory, 'datastores', old)
    const { found } = await startOn(directory, async (server) => {
      expect(await contentsOn(server)).toEqual(contents)
      return query(checkedClient(server.url, key), library, { query: 'the reading room' })
    })
    expect(found[0]).toMatchObject({ datasource_name: 'Hours' })
    await expectUpgraded(directory)

    const { logged } = await startOn(directory, async ({ url }) => {
      await replaceTable(directory, tableOf(manuals), old)
      const client = checkedClient(url, keyOfAnn)
      const { response } = await sdk.getDatastore({ client, path: { id: manuals } })
      expect(response?.status).toBe(503)
    })
    expect(logged).toMatch(/is of an older format.*store restore-format/)
    await storeCommand(directory, 'restore-format')
    expect((await startOn(directory, contentsOn)).found).toEqual(contents)
    await expectUpgraded(directory)
  },
)

test(
  'without its format and the record of a datastore an old store is restored and upgraded',
  { tags: 'deep' },
  async () => {
    const directory = await unpack()
    for (const table of ['store', 'datastores'])
      await rm(join(directory, `${table}.lance`), { recursive: true })
    const run = (...words: string[]) => storeCommand(directory, ...words)
    await run('restore-format')
    await run('restore-datastore', library)
    await run('restore-datastore', embedded)
    await run('restore-datastore', manuals, '--workspace', 'ann')
    expect((await startOn(directory, contentsOn)).found).toEqual(contents)
    await expectUpgraded(directory)
  },
)

test('of servers that start together on one address, one upgrades', { tags: 'deep' }, async () => {
  const directory = await unpack()
  const dataUri = pathToFileURL(directory).href
  const servers = await Promise.all([1, 2, 3].map(() => openServer({ dataUri })))
  try {
    for (const server of servers) expect(await contentsOn(server)).toEqual(contents)
    const upgrades = servers.filter(({ logged }) =>
      logged.some(({ msg }) => msg === 'upgraded the store'),
    )
    expect(upgrades).toHaveLength(1)
  } finally {
    for (const { close } of servers) await close()
  }
  await expectUpgraded(directory)
})
