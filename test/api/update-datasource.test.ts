import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { UpdateDatasource } from '../../generated/types.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const { client } = await joinServer()

async function makeDatasource() {
  const datastoreId = await makeDatastore(client)
  const metadata = { source_url: 'https://old', custom_id: 'ann', note: 'kept' }
  const [id = ''] = await upsert(client, datastoreId, { text: 'Old text.', name: 'Old', metadata })
  return { datastoreId, id, metadata }
}

const update = (datastoreId: string, body: UpdateDatasource) =>
  sdk.updateDatasource({ client, path: { datastoreId }, body })

async function get(datastoreId: string, datasourceId: string) {
  const path = { id: datastoreId, datasourceId }
  const { data } = await sdk.getDatasource({ client, path, throwOnError: true })
  return data
}

test('200: the text is replaced, and the next query sees the new one only', async () => {
  const { datastoreId, id } = await makeDatasource()
  const { data } = await update(datastoreId, { id, text: 'New words.' })
  expect(data).toEqual({ id })
  const found = await query(client, datastoreId, { query: 'old text new words' })
  expect(found.map(({ text }) => text)).toEqual(['New words.'])
})

test('200: an absent name and metadata stay, null clears metadata, an object replaces it', async () => {
  const { datastoreId, id, metadata } = await makeDatasource()
  await update(datastoreId, { id, text: 'One.' })
  expect(await get(datastoreId, id)).toMatchObject({ name: 'Old', metadata, source: 'https://old' })
  const annIds = async () =>
    query(client, datastoreId, { query: 'x', mode: 'vector', filters: { custom_ids: ['ann'] } })
  expect(await annIds()).toHaveLength(1)

  await update(datastoreId, { id, text: 'Two.', name: 'New', metadata: { url: 'https://new' } })
  expect(await get(datastoreId, id)).toMatchObject({
    name: 'New',
    metadata: { url: 'https://new' },
    source: 'https://new',
  })
  expect(await annIds()).toHaveLength(0)

  await update(datastoreId, { id, text: 'Three.', name: '', metadata: null })
  expect(await get(datastoreId, id)).toMatchObject({ name: '', metadata: null, source: '' })
})

test('200: createdAt stays, updatedAt moves on', async () => {
  const { datastoreId, id } = await makeDatasource()
  const before = await get(datastoreId, id)
  await update(datastoreId, { id, text: 'New.' })
  const after = await get(datastoreId, id)
  expect(after.createdAt).toBe(before.createdAt)
  expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
})

test('200: fewer or more fragments than before leave nothing behind', async () => {
  const { datastoreId, id } = await makeDatasource()
  for (const length of [9000, 100, 4000]) {
    const text = 'Some sentence of a long text. '.repeat(length / 30)
    await update(datastoreId, { id, text })
    const got = await get(datastoreId, id)
    expect(got.text).toBe(text)
    const found = await query(client, datastoreId, { query: 'sentence', topK: 100 })
    expect(found).toHaveLength(got.fragmentCount)
  }
})

test('200: readers see the old or the new, never both, part of one, or nothing', async () => {
  const { datastoreId, id } = await makeDatasource()
  const version = (n: number) => `Version ${n} says the same thing in every sentence. `.repeat(120)
  await update(datastoreId, { id, text: version(0) })
  const expected = (await get(datastoreId, id)).fragmentCount
  expect(expected).toBeGreaterThan(2)
  let writing = true
  const write = async () => {
    for (let n = 1; n <= 5; n++) await update(datastoreId, { id, text: version(n % 10) })
    writing = false
  }
  let reads = 0
  const read = async () => {
    while (writing) {
      const found = await query(client, datastoreId, { query: 'version sentence', topK: 100 })
      const versions = new Set(found.flatMap(({ text }) => text.match(/Version \d/g) ?? []))
      expect([found.length, versions.size]).toEqual([expected, 1])
      reads++
    }
  }
  await Promise.all([write(), read(), read(), read()])
  expect(reads).toBeGreaterThan(2)
})

test('200: of updates at once each happens whole, and none brings a deleted one back', async () => {
  const { datastoreId, id } = await makeDatasource()
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      update(datastoreId, { id, text: `Writer ${n}.`, name: `${n}` }),
    ),
  )
  expect(answers.map(({ response }) => response?.status)).toEqual(Array(12).fill(200))
  const last = await get(datastoreId, id)
  expect(last.text).toBe(`Writer ${last.name}.`)

  const path = { id: datastoreId, datasourceId: id }
  const races = await Promise.all([
    ...Array.from({ length: 6 }, (_, n) => update(datastoreId, { id, text: `Late ${n}.` })),
    sdk.deleteDatasource({ client, path }),
    ...Array.from({ length: 6 }, (_, n) => update(datastoreId, { id, text: `Later ${n}.` })),
  ])
  for (const { response } of races) expect([200, 404]).toContain(response?.status)
  expect(await query(client, datastoreId, { query: 'late' })).toEqual([])
})

test('200: of updates at once none undoes what another left out', { tags: 'deep' }, async () => {
  for (let round = 0; round < 10; round++) {
    const { datastoreId, id } = await makeDatasource()
    await Promise.all([
      update(datastoreId, { id, text: 'By one.', name: 'Name' }),
      update(datastoreId, { id, text: 'By another.', metadata: { note: 'Note' } }),
    ])
    const { name, metadata } = await get(datastoreId, id)
    expect([name, metadata]).toEqual(['Name', { note: 'Note' }])
  }
})

test('200: a long update is not starved by short ones', { tags: 'deep' }, async () => {
  const { datastoreId, id } = await makeDatasource()
  let isLongDone = false
  const long = update(datastoreId, {
    id,
    text: 'A long text with many words in it. '.repeat(20_000),
  })
  void long.finally(() => (isLongDone = true))
  let short = 0
  while (!isLongDone) await update(datastoreId, { id, text: `Short ${short++}.` })
  expect((await long).response?.status).toBe(200)
  expect(short).toBeGreaterThan(0)
})

test('404: an unknown datasource, and one of another datastore', async () => {
  const { datastoreId, id } = await makeDatasource()
  const other = await makeDatasource()
  for (const unknown of ['src_unknown', other.id, `${id}#0`, `${id}' OR 'a'='a`]) {
    const { response } = await update(datastoreId, { id: unknown, text: 'Not mine.' })
    expect(response?.status).toBe(404)
  }
  expect((await get(other.datastoreId, other.id)).text).toBe('Old text.')
})

test('413: a text too long for the many values of metadata that stays, and nothing changes', async () => {
  const datastoreId = await makeDatastore(client)
  const numbers = Array.from({ length: 4_000 }, (_, n) => (1 + (n % 9)) / 10)
  const old = { text: 'Old text.', metadata: { numbers } }
  const [id = ''] = await upsert(client, datastoreId, old)
  const { response } = await update(datastoreId, {
    id,
    text: 'A sentence of a long text. '.repeat(37_000),
  })
  expect(response?.status).toBe(413)
  expect((await get(datastoreId, id)).text).toBe('Old text.')
})
