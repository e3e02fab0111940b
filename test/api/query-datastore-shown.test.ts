import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { Provider } from '../support/provider.ts'
import { joinServer, startServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const { client } = await joinServer()
const long = Array.from(
  { length: 60 },
  (_, n) => `Sentence ${n} says when the library opens. 😀`,
).join(' ')

const five = ['datasource_id', 'datasource_name', 'score', 'source', 'text']

describe('include', () => {
  test('without it a fragment has five members; with each one more', async () => {
    const id = await makeDatastore(client)
    await upsert(client, id, 'The library opens at nine.')
    const membersOf = async (body: object) => {
      const [found] = await query(client, id, { query: 'library', ...body })
      return Object.keys(found ?? {}).toSorted()
    }
    expect(await membersOf({})).toEqual(five)
    expect(await membersOf({ include: [] })).toEqual(five)
    for (const detail of ['metadata', 'span', 'highlights']) {
      expect(await membersOf({ include: [detail] })).toEqual([...five, detail].toSorted())
    }
  })

  test('metadata is that of the datasource, also of later fragments; null where there is none', async () => {
    const id = await makeDatastore(client)
    const metadata = JSON.parse('{"a": {"b": [1, null]}, "__proto__": "own"}')
    await upsert(client, id, { text: long, metadata }, 'Nothing about the library.')
    const found = await query(client, id, { query: 'library', topK: 100, include: ['metadata'] })
    expect(found.length).toBeGreaterThan(2)
    for (const { text, metadata: shown } of found) {
      expect(JSON.stringify(shown)).toBe(
        JSON.stringify(text.startsWith('Nothing') ? null : metadata),
      )
    }
  })

  test('span is where the text stands in that of its datasource', async () => {
    const id = await makeDatastore(client)
    const [datasourceId = ''] = await upsert(
      client,
      id,
      `\ufeff 図書館は九時に開きます。\n\n${long}`,
    )
    const { data } = await sdk.getDatasource({ client, path: { id, datasourceId } })
    const found = await query(client, id, { query: 'library 図書館', topK: 100, include: ['span'] })
    expect(found.length).toBeGreaterThan(1)
    for (const { text, span } of found) {
      expect(data?.text.slice(span?.start, span?.end)).toBe(text)
    }
  })

  test.each([
    ['libraries opening', 'The 😀 library, and its Opening hours.', ['library', 'Opening']],
    ['library', 'Books and lamps of the well-known library-card.', ['library']],
    ['grösse', 'Die Größe zählt.', ['Größe']],
    ['図書館', '東京都の図書館です。', ['図書館']],
    ['the', 'The library is not meant.', []],
    ["o'clock", "It is nine o'clock.", ["o'clock"]],
    ['whats owned by the outings', 'What the outing is: owned.', ['outing', 'owned']],
    ['thẻ mẹ', 'Thẻ của mẹ.', ['Thẻ', 'mẹ']],
    [
      'database garden',
      'The data\u00adbase of the gar\u200bden\u00ad',
      ['data\u00adbase', 'gar\u200bden'],
    ],
    ['C++, c# or .NET', 'C++ and C#, but .NET too', ['C++', 'C#', '.NET']],
    ['🎉 20 €', 'Party 🎉 for 20\u00a0€ - here.', ['🎉', '20', '€']],
    ['1000 or 25500', 'It was 1,000, then 25\u202f500 crowns.', ['1,000', '25\u202f500']],
    ['0144556677', 'Call +33 (0)1 44 55 66 77 now.', ['1 44 55 66 77']],
    ['98765', 'เลขที่ ๙๘๗๖๕', ['๙๘๗๖๕']],
    ['database', 'The data-\nbase is copied.', ['data-\nbase']],
  ])('highlights of %j in %j are %j', async (asked, text, expected) => {
    const id = await makeDatastore(client)
    await upsert(client, id, text)
    const [found] = await query(client, id, {
      query: asked,
      mode: 'vector',
      include: ['highlights'],
    })
    const shown = found?.highlights?.map(({ start, end }) => found.text.slice(start, end))
    expect(shown).toEqual(expected)
  })

  test('while a document is replaced, text and metadata are of one version', async () => {
    const id = await makeDatastore(client)
    const path = { id, key: 'k' }
    const put = (version: string) =>
      sdk.putDocument({
        client,
        path,
        body: { text: `Version ${version}.`, metadata: { version } },
      })
    await put('0')
    let writing = true
    const write = async () => {
      for (let n = 1; n <= 5; n++) await put(String(n))
      writing = false
    }
    const read = async () => {
      while (writing) {
        const [found] = await query(client, id, { query: 'version', include: ['metadata'] })
        expect(found?.text).toBe(`Version ${String(found?.metadata?.version)}.`)
      }
    }
    await Promise.all([write(), read(), read()])
  })

  test('400: twice the same, or something else', async () => {
    const id = await makeDatastore(client)
    const body = { query: 'x', include: ['span', 'span', 'text'] as never }
    const { error } = await sdk.queryDatastore({ client, path: { id }, body })
    const places = error?.errors?.map(({ pointer }) => pointer).toSorted()
    expect(places).toEqual(['/include', '/include/2'])
  })
})

describe.each(['built in', 'a provider'])(
  'perDatasource, with an embedder that is %s',
  async (kind) => {
    const provider = await Provider.start()
    const own =
      kind === 'built in' ? client : (await startServer({ provider: provider.settings })).client
    const id = await makeDatastore(own)
    const book = 'The library opens at nine, says the library of the library. '.repeat(3_000)
    const others = Array.from(
      { length: 12 },
      (_, n) => `Number ${n} mentions the library once, somewhere.`,
    )
    const [bookId] = await upsert(own, id, book, ...others)

    test.each(['hybrid', 'vector', 'keyword'] as const)(
      'in the mode %s no datasource has more, and others take the places',
      async (mode) => {
        for (const [topK, perDatasource] of [
          [5, 1],
          [10, 2],
          [13, 1],
        ] as const) {
          const found = await query(own, id, {
            query: 'the library opens',
            topK,
            perDatasource,
            mode,
          })
          const ids = found.map(({ datasource_id }) => datasource_id)
          expect(found).toHaveLength(topK)
          expect(ids.filter((one) => one === bookId).length).toBeLessThanOrEqual(perDatasource)
          expect(
            Math.max(
              ...Map.groupBy(ids, (one) => one)
                .values()
                .map(({ length }) => length),
            ),
          ).toBeLessThanOrEqual(perDatasource)
          const scores = found.map(({ score }) => score)
          expect(scores).toEqual(scores.toSorted((a, b) => b - a))
        }
      },
    )
  },
)
