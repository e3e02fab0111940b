import { describe, expect, test } from 'vitest'
import type { MetadataFilter } from '../../generated/types.gen.ts'
import { placesOf, send } from '../support/raw.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const { client, url } = await joinServer()
const id = await makeDatastore(client)
const documents = {
  plain: { lang: 'de', year: 2024, published: '2024-05-01', tags: ['a', 'b'] },
  nested: {
    author: { name: 'Ann', 'a/b': 1 },
    list: [{ deep: true }, 5],
    '/slash': 'x',
    published: ['2024-05-01T00:00:00-24:00', '2024-05-01T00:00:00-00:60', '2024-13-01'],
  },
  odd: { lang: 5, year: '2024', tags: null, published: '2024-05-01T00:30:00+01:00' },
  empty: { tags: [], author: {}, '': 'nameless' },
}
const names = [...Object.keys(documents), 'none']
await upsert(
  client,
  id,
  ...Object.entries(documents).map(([name, metadata]) => ({ text: 'A text.', name, metadata })),
  { text: 'A text.', name: 'none' },
)

const namesOf = async (metadata: MetadataFilter) => {
  const found = await query(client, id, { query: 'text', topK: 100, filters: { metadata } })
  return found.map(({ datasource_name }) => datasource_name).toSorted()
}

const refused = async (metadata: unknown): Promise<[number, string[]]> => {
  const body = JSON.stringify({ query: 'text', filters: { metadata } })
  const response = await send(url, 'POST', `/datastores/${id}/query`, { body })
  return [response.status, await placesOf(response)]
}

const eq = { type: 'eq', key: 'a', value: 1 }

describe('200', () => {
  test.each<[MetadataFilter, string[]]>([
    [{ type: 'eq', key: 'lang', value: 'de' }, ['plain']],
    [{ type: 'eq', key: 'lang', value: 5 }, ['odd']],
    [{ type: 'eq', key: 'lang', value: '5' }, []],
    [{ type: 'ne', key: 'lang', value: 'de' }, ['empty', 'nested', 'none', 'odd']],
    [{ type: 'in', key: 'tags', value: ['b', 'c', true] }, ['plain']],
    [{ type: 'in', key: 'tags', value: [] }, []],
    [{ type: 'nin', key: 'tags', value: [] }, names.toSorted()],
    [{ type: 'exists', key: 'tags', value: true }, ['empty', 'plain']],
    [{ type: 'exists', key: 'tags', value: false }, ['nested', 'none', 'odd']],
    [{ type: 'gt', key: 'year', value: 2023.5 }, ['plain']],
    [{ type: 'lt', key: 'published', value: '2024-05-01T00:00:00Z' }, ['odd']],
    [{ type: 'gte', key: 'published', value: '2024-05-01' }, ['plain']],
    [{ type: 'gte', key: 'lang', value: '2000-01-01' }, []],
    [{ type: 'eq', key: '/author/name', value: 'Ann' }, ['nested']],
    [{ type: 'eq', key: '/author/a~1b', value: 1 }, ['nested']],
    [{ type: 'eq', key: '/list/0/deep', value: true }, ['nested']],
    [{ type: 'eq', key: 'list', value: 5 }, ['nested']],
    [{ type: 'eq', key: '/tags/1', value: 'b' }, ['plain']],
    [{ type: 'eq', key: '/~1slash', value: 'x' }, ['nested']],
    [{ type: 'eq', key: '', value: 'nameless' }, ['empty']],
  ])('%j matches %j', async (filter, expected) => {
    expect(await namesOf(filter)).toEqual(expected)
  })

  test('with lists of ids all must match', async () => {
    const metadata = { type: 'exists', key: 'lang', value: true } as const
    const filters = { metadata, datasource_ids: [] }
    expect(await query(client, id, { query: 'text', filters })).toEqual([])
  })

  test('64 comparisons, 8 levels and 1,000 values are taken', async () => {
    const filters = Array.from({ length: 64 }, () => eq)
    expect((await refused({ type: 'or', filters }))[0]).toBe(200)
    expect((await refused(nested(8)))[0]).toBe(200)
    const value = Array.from({ length: 1_000 }, (_, n) => n)
    expect((await refused({ type: 'in', key: 'a', value }))[0]).toBe(200)
  })
})

const nested = (levels: number): object =>
  levels === 1 ? eq : { type: 'and', filters: [nested(levels - 1)] }

describe('400, and what is not understood is named', () => {
  const at = '/filters/metadata'
  test.each<[unknown, string[]]>([
    [{ type: 'like', key: 'a', value: 'x' }, [`${at}/type`]],
    [{ key: 'a', value: 'x' }, [`${at}/type`]],
    [{}, [`${at}/type`]],
    ['eq', [at]],
    [[eq], [at]],
    [{ type: 'eq', key: 'a' }, [`${at}/value`]],
    [{ type: 'eq', key: 'a', value: null }, [`${at}/value`]],
    [{ type: 'eq', key: 'a', value: [1] }, [`${at}/value`]],
    [{ type: 'eq', key: 5, value: 1 }, [`${at}/key`]],
    [{ type: 'eq', key: '/a~2', value: 1 }, [`${at}/key`]],
    [{ type: 'eq', key: 'x'.repeat(1_025), value: 1 }, [`${at}/key`]],
    [{ type: 'eq', key: 'a', value: 1, more: 1 }, [`${at}/more`]],
    [{ type: 'in', key: 'a', value: 'x' }, [`${at}/value`]],
    [{ type: 'in', key: 'a', value: Array(1_001).fill(1) }, [`${at}/value`]],
    [{ type: 'in', key: 'a', value: [1, null] }, [`${at}/value/1`]],
    [{ type: 'exists', key: 'a', value: 'true' }, [`${at}/value`]],
    [{ type: 'gt', key: 'a', value: 'yesterday' }, [`${at}/value`]],
    [{ type: 'gt', key: 'a', value: '2024-05-01T00:00:00' }, [`${at}/value`]],
    [{ type: 'gt', key: 'a', value: '2023-02-29' }, [`${at}/value`]],
    [{ type: 'gt', key: 'a', value: true }, [`${at}/value`]],
    [{ type: 'and', filters: [] }, [`${at}/filters`]],
    [
      { type: 'and', filters: [eq, { type: 'or', filters: [{ type: 'x' }] }] },
      [`${at}/filters/1/filters/0/type`],
    ],
    [{ type: 'or', filters: Array.from({ length: 65 }, () => eq) }, [at, `${at}/filters`]],
    [
      {
        type: 'or',
        filters: Array.from({ length: 33 }, () => ({ type: 'and', filters: [eq, eq] })),
      },
      [at],
    ],
    [nested(9), [at]],
  ])('%j', async (filter, places) => {
    const [status, named] = await refused(filter)
    expect([status, [...new Set(named)].toSorted()]).toEqual([400, places])
  })
})
