import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, upsert } from '../support/things.ts'

const { client } = await joinServer()

test('200: pages in the order of creation, within an upsert in the order sent', async () => {
  const id = await makeDatastore(client)
  const made = [
    ...(await upsert(client, id, 'a', 'b', 'c')),
    ...(await upsert(client, id, 'd')),
    ...(await upsert(client, id, 'e', 'f', 'g')),
  ]
  const seen: string[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { data } = await sdk.listDatasources({
      client,
      path: { id },
      query: { limit: 2, ...(cursor && { cursor }) },
      throwOnError: true,
    })
    seen.push(...data.data.map((datasource) => datasource.id))
    cursor = data.nextCursor
  }
  expect(seen).toEqual(made)
})

test('400: a cursor is of the list that it came with', async () => {
  const [id, other] = [await makeDatastore(client), await makeDatastore(client)]
  await upsert(client, id, 'a', 'b')
  const { data } = await sdk.listDatasources({
    client,
    path: { id },
    query: { limit: 1 },
    throwOnError: true,
  })
  const query = { cursor: data.nextCursor! }
  const answers = await Promise.all([
    sdk.listDatasources({ client, path: { id: other }, query }),
    sdk.listDatastores({ client, query }),
    sdk.listAgents({ client, query }),
  ])
  const pointers = answers.map(({ error }) => error?.errors?.map(({ pointer }) => pointer))
  expect(pointers).toEqual(answers.map(() => ['/query/cursor']))
})

test('400: a cursor is of the filters that it came with, in any order', async () => {
  const id = await makeDatastore(client)
  const metadata = { lang: 'de', source: 'x' }
  await upsert(client, id, ...['a', 'b'].map((text) => ({ text, metadata })), 'c')
  const filter = JSON.stringify({ type: 'eq', key: 'lang', value: 'de' })
  const listed = async (query: object) => {
    const { data, error } = await sdk.listDatasources({ client, path: { id }, query })
    return { ...data, at: error?.errors?.[0]?.pointer }
  }
  const { nextCursor } = await listed({ limit: 1, source: 'x', filter })
  const cursor = { cursor: nextCursor! }
  expect(await listed({ ...cursor, filter, source: 'x' })).toMatchObject({ nextCursor: null })
  for (const other of [{}, { filter }, { source: 'x', filter: filter.replace('de', 'en') }]) {
    expect(await listed({ ...cursor, ...other })).toMatchObject({ at: '/query/cursor' })
  }
  const all = await listed({ limit: 1 })
  expect(await listed({ cursor: all.nextCursor!, filter })).toMatchObject({ at: '/query/cursor' })
})

test('400: a wrong cursor comes before a datastore that is not there', async () => {
  const path = { id: 'dst_none' }
  const wrong = await sdk.listDatasources({ client, path, query: { cursor: 'abc' } })
  expect([wrong.response?.status, wrong.error?.errors?.[0]?.pointer]).toEqual([
    400,
    '/query/cursor',
  ])
  expect((await sdk.listDatasources({ client, path })).response?.status).toBe(404)
})

test('200: a page holds everything but the texts', async () => {
  const id = await makeDatastore(client)
  const metadata = { url: 'https://x', deep: { list: [1, null, 'ß'] } }
  const [made] = await upsert(client, id, { text: 'Text.', name: 'Name', metadata })
  const { data } = await sdk.listDatasources({ client, path: { id }, throwOnError: true })
  expect(data).toEqual({
    data: [
      {
        id: made,
        key: null,
        name: 'Name',
        metadata,
        source: 'https://x',
        fragmentCount: 1,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ],
    nextCursor: null,
  })
})

test('200: source finds exactly what was made from it', async () => {
  const id = await makeDatastore(client)
  const sources = ["https://a/?q='x'&y=%2F", 'https://a', 'https://a/b']
  const made = await upsert(
    client,
    id,
    ...sources.map((source) => ({ text: 'Text.', metadata: { source } })),
  )
  for (const [index, source] of sources.entries()) {
    const { data } = await sdk.listDatasources({
      client,
      path: { id },
      query: { source },
      throwOnError: true,
    })
    expect(data.data.map((datasource) => datasource.id)).toEqual([made[index]])
  }
})
