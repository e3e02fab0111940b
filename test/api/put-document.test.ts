import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { NewDocument } from '../../generated/types.gen.ts'
import { Provider } from '../support/provider.ts'
import { send } from '../support/raw.ts'
import { joinServer, startServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const { client, url } = await joinServer()
const id = await makeDatastore(client)

const put = (key: string, body: NewDocument, headers = {}) =>
  sdk.putDocument({ client, path: { id, key }, body, headers })

async function get(key: string) {
  const { data } = await sdk.getDocument({ client, path: { id, key }, throwOnError: true })
  return data
}

const hostileKeys = {
  'with slashes': 'a/b//c/',
  'like a URL': 'https://library.example/a b?c=d#e',
  'with a percent sign': '100%2F',
  'with quotes': `o'clock "x" \`y\``,
  'with NUL': 'a\u0000b',
  'of white space': ' ',
  'of emoji': '👩‍👩‍👧‍👦'.repeat(36),
  'like a name of JavaScript': '__proto__',
  'with a byte order mark': '\ufeffkey',
  'of three dots': '...',
}

test('201: the datasource without its text, with Location, ETag and its key', async () => {
  const metadata = { source_url: 'https://x', custom_id: 'ann' }
  const { data, response } = await put('one', { text: 'One text.', name: 'One', metadata })
  expect(response?.status).toBe(201)
  expect(data).toEqual({
    id: expect.stringMatching(/^src_/),
    key: 'one',
    name: 'One',
    metadata,
    source: 'https://x',
    fragmentCount: 1,
    createdAt: data?.updatedAt,
    updatedAt: expect.any(String),
  })
  const location = response?.headers.get('location') ?? ''
  const got = await send(url, 'GET', location)
  expect(await got.json()).toEqual({ ...data, text: 'One text.' })
  expect(got.headers.get('etag')).toBe(response?.headers.get('etag'))
})

test('200: the document is replaced whole, under the same id', async () => {
  const { data: first } = await put('two', { text: 'Old words.', name: 'Two', metadata: { a: 1 } })
  const { data, response } = await put('two', { text: 'New words. '.repeat(900) })
  expect(response?.status).toBe(200)
  expect(data).toMatchObject({ id: first?.id, name: '', metadata: null })
  expect(data?.createdAt).toBe(first?.createdAt)
  expect(Date.parse(data?.updatedAt ?? '')).toBeGreaterThan(Date.parse(first?.updatedAt ?? ''))
  const filters = { datasource_ids: [data?.id ?? ''] }
  const found = await query(client, id, { query: 'old new words', topK: 100, filters })
  expect(found).toHaveLength(data?.fragmentCount ?? 0)
  expect(found.filter(({ text }) => text.includes('Old'))).toEqual([])
})

test.each(Object.entries(hostileKeys))('201: a key %s is kept as it is', async (_, key) => {
  const { data, response } = await put(key, { text: `The text of ${key}.` })
  expect([response?.status, data?.key]).toEqual([201, key])
  const location = response?.headers.get('location') ?? ''
  expect((await (await send(url, 'GET', location)).json()).key).toBe(key)
  expect((await get(key)).text).toBe(`The text of ${key}.`)
})

test('201: the same key in another datastore is another document', async () => {
  const other = await makeDatastore(client)
  const { data: here } = await put('shared', { text: 'Here.' })
  const body = { text: 'There.' }
  const there = await sdk.putDocument({ client, path: { id: other, key: 'shared' }, body })
  expect([there.response?.status, (await get('shared')).text]).toEqual([201, 'Here.'])
  expect(there.data?.id).not.toBe(here?.id)
})

test('200: every operation on datasources takes its id, and an update keeps its key', async () => {
  const { data } = await put('three', { text: 'Three.', name: 'Three' })
  const datasourceId = data?.id ?? ''
  await sdk.updateDatasource({
    client,
    path: { datastoreId: id },
    body: { id: datasourceId, text: 'More than three.' },
  })
  expect(await get('three')).toMatchObject({
    key: 'three',
    name: 'Three',
    text: 'More than three.',
  })
  const deleted = await sdk.deleteDatasource({ client, path: { id, datasourceId } })
  expect(deleted.data?.key).toBe('three')
  expect((await put('three', { text: 'Again.' })).response?.status).toBe(201)
})

test('200: text that has not changed is not embedded again', async () => {
  const provider = await Provider.start()
  const own = await startServer({ provider: provider.settings })
  const path = { id: await makeDatastore(own.client), key: 'k' }
  const text = 'Some sentence of a long text. '.repeat(300)
  await sdk.putDocument({ client: own.client, path, body: { text } })
  provider.calls.length = 0
  const again = await sdk.putDocument({ client: own.client, path, body: { text, name: 'New' } })
  expect([again.response?.status, provider.calls]).toEqual([200, []])
  const body = { text: `${text}One more sentence that is new.` }
  const { data } = await sdk.putDocument({ client: own.client, path, body })
  const embedded = provider.calls.flatMap(({ body: { input } }) => input)
  expect(embedded.length).toBeLessThan(data?.fragmentCount ?? 0)
})

test('of many that put a new key at once one is answered 201, and one document is there', async () => {
  const texts = Array.from({ length: 24 }, (_, n) => `Writer ${n}. `.repeat(1 + 200 * (n % 3)))
  const answers = await Promise.all(texts.map((text) => put('many', { text })))
  const statuses = answers.map(({ response }) => response?.status).toSorted()
  expect(statuses).toEqual([...Array(23).fill(200), 201])
  expect(texts).toContain((await get('many')).text)
  expect(new Set(answers.map(({ data }) => data?.id)).size).toBe(1)
})

describe('If-Match', () => {
  const tagOf = ({ response }: { response?: Response }) => response?.headers.get('etag') ?? ''

  test('200: the version that is there, or any; 412: an older one', async () => {
    const first = await put('tagged', { text: 'One.' })
    const second = await put('tagged', { text: 'Two.' }, { 'If-Match': tagOf(first) })
    expect([second.response?.status, tagOf(second)]).toEqual([
      200,
      expect.not.stringMatching(tagOf(first)),
    ])
    const stale = await put('tagged', { text: 'Three.' }, { 'If-Match': tagOf(first) })
    expect([stale.response?.status, stale.error?.code]).toEqual([412, 'precondition_failed'])
    expect(tagOf(stale)).toBe(tagOf(second))
    expect((await get('tagged')).text).toBe('Two.')
    expect((await put('tagged', { text: 'Four.' }, { 'If-Match': '*' })).response?.status).toBe(200)
  })

  test('412: nothing is there, and nothing is made', async () => {
    for (const tag of ['*', '"1"']) {
      const answer = await put('absent', { text: 'One.' }, { 'If-Match': tag })
      expect([answer.response?.status, tagOf(answer)]).toEqual([412, ''])
    }
    const absent = await sdk.getDocument({ client, path: { id, key: 'absent' } })
    expect(absent.response?.status).toBe(404)
  })

  test('of many that change one version one succeeds', async () => {
    const tag = tagOf(await put('raced', { text: 'One.' }))
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => put('raced', { text: `${n}.` }, { 'If-Match': tag })),
    )
    const statuses = answers.map(({ response }) => response?.status).toSorted()
    expect(statuses).toEqual([200, ...Array(11).fill(412)])
  })
})

test('If-None-Match: * makes a document once, and takes no entity tag', async () => {
  const none = { 'If-None-Match': '*' }
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => put('only-once', { text: `${n}.` }, none)),
  )
  const statuses = answers.map(({ response }) => response?.status).toSorted()
  expect(statuses).toEqual([201, ...Array(7).fill(412)])
  const tagged = await put('only-once', { text: 'One.' }, { 'If-None-Match': '"1"' })
  expect(tagged.error?.errors?.map(({ pointer }) => pointer)).toEqual(['/header/if-none-match'])
})

test('an upsert makes documents without a key', async () => {
  const [datasourceId = ''] = await upsert(client, id, 'No key.')
  const { data } = await sdk.getDatasource({ client, path: { id, datasourceId } })
  expect(data?.key).toBeNull()
})

test('404: an unknown datastore, which is not made', async () => {
  const path = { id: 'dst_unknown', key: 'k' }
  const { response } = await sdk.putDocument({ client, path, body: { text: 'One.' } })
  expect(response?.status).toBe(404)
})
