import { describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { Problem } from '../../generated/types.gen.ts'
import { checkAnswer } from '../support/contract-fetch.ts'
import { placesOf, send } from '../support/raw.ts'
import { joinServer, testKey } from '../support/server.ts'
import { makeAgent, makeDatastore, query, upsert } from '../support/things.ts'

const { client, url } = await joinServer()
const datastoreId = await makeDatastore(client)
const upsertPath = `/api/datastores/upsert/${datastoreId}`
const queryPath = `/datastores/${datastoreId}/query`

const post = (path: string, body: string) => send(url, 'POST', path, { body })
const upsertRaw = (document: string) => post(upsertPath, `{"documents":[${document}]}`)
const problemOf = async (response: Response) => (await response.json()) as Problem

describe('numbers', () => {
  test.each([
    ['1546130668394913822', '/a'],
    ['{"b":[0,{"c/d":9007199254740993}]}', '/a/b/1/c~1d'],
    ['[-9007199254740993]', '/a/0'],
    ['12345678901234567890.0', '/a'],
    ['1e400', '/a'],
    ['1e-400', '/a'],
    ['"\\ud83d\\ude00",  "b": 36893488147419103233', '/b'],
  ])('one that would not come back is refused by its place: %s', async (value, place) => {
    const response = await upsertRaw(`{"text":"x","metadata":{"a":${value}}}`)
    expect(response.status).toBe(400)
    const { detail, errors } = await problemOf(response)
    const pointer = `/documents/0/metadata${place}`
    expect(errors?.map((error) => error.pointer)).toEqual([pointer])
    expect(detail).toContain(`${pointer} is a number that would not come back`)
  })

  test('every place is named, in other bodies too', async () => {
    const agent = '{"name":"x","description":"y","temperature":1e-400}'
    expect(await placesOf(await post('/agents', agent))).toEqual(['/temperature'])
    const question = '{"query":"x","topK":9007199254740993,"minScore":-1e999}'
    expect((await placesOf(await post(queryPath, question))).toSorted()).toEqual([
      '/minScore',
      '/topK',
    ])
  })

  test.each(['9007199254740992', '-9007199254740991', '1e21', '0', '0.5', '1e-300', '5e-324'])(
    '%s comes back',
    async (literal) => {
      const response = await upsertRaw(`{"text":"x","metadata":{"n":${literal}}}`)
      const { ids } = (await response.json()) as { ids: string[] }
      const path = { id: datastoreId, datasourceId: ids[0]! }
      const { data } = await sdk.getDatasource({ client, path })
      expect(data?.metadata).toEqual({ n: Number(literal) })
    },
  )

  test('a fraction is rounded, and of a member twice the last one counts', async () => {
    for (const members of ['"n":0.12345678901234567890', '"n":9007199254740993,"n":1']) {
      expect((await upsertRaw(`{"text":"x","metadata":{${members}}}`)).status).toBe(200)
    }
  })
})

describe('depth and count are checked while a body is read', () => {
  /** What is answered although the rest of the body never comes. */
  async function answerToPart(path: string, part: string): Promise<Response> {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from(part)),
    })
    const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    const response = await fetch(url + path, init)
    await checkAnswer('POST', path, response.clone())
    return response
  }

  const megabyte = 1024 * 1024
  test.each([
    ['lists in lists', upsertPath, '['.repeat(33), '/0/0/0'],
    [
      'lists in a document',
      upsertPath,
      `{"documents":[{"text":"x","metadata":{"a":${'['.repeat(33)}`,
      '/documents/0/metadata',
    ],
    [
      'objects in a filter',
      queryPath,
      `{"query":"x","filters":${'{"a":'.repeat(33)}`,
      '/filters/a/a',
    ],
    ['a list of many', upsertPath, `{"documents":[${'0,'.repeat(10_001)}`, '/documents'],
    [
      'many members',
      queryPath,
      `{${Array.from({ length: 10_001 }, (_, n) => `"m${n}":1,`).join('')}`,
      '',
    ],
    [
      'many in metadata',
      upsertPath,
      `{"documents":[{"metadata":{"~":[${'0,'.repeat(10_001)}`,
      '/documents/0/metadata',
    ],
    ['many in all', upsertPath, `{"documents":[${'{"a":1,"b":2},'.repeat(4_000)}`, '/documents'],
  ])('%s', async (_, path, part, place) => {
    const response = await answerToPart(path, part)
    expect([response.status, await placesOf(response)]).toEqual([400, [place]])
  })

  test.each([
    ['lists', '['.repeat(megabyte)],
    ['lists that end', `${'['.repeat(megabyte / 2)}${']'.repeat(megabyte / 2)}`],
    ['members', `{${'"a":1,'.repeat(megabyte / 6 - 1)}"a":1}`],
  ])('a query of nothing but %s is 400', async (_, body) => {
    expect((await post(queryPath, body)).status).toBe(400)
  })

  test('as deep and as many as is allowed is taken', async () => {
    const deep = `${'['.repeat(15)}${']'.repeat(15)}`
    const many = `[${'0,'.repeat(8_000)}0]`
    for (const metadata of [`{"a":${deep}}`, `{"a":${many}}`]) {
      expect((await upsertRaw(`{"text":"x","metadata":${metadata}}`)).status).toBe(200)
    }
  })

  test('what only looks like it, in strings, is taken', async () => {
    const text = JSON.stringify(`x ${'[{,"\\'.repeat(20_000)}`)
    expect((await upsertRaw(`{"text":${text}}`)).status).toBe(200)
  })
})

test('three prompts at their longest are taken, of three bytes a character and escaped', async () => {
  const longest = '語'.repeat(131_072)
  const body = { name: 'x', description: 'y', systemPrompt: longest, userPrompt: longest }
  const plain = JSON.stringify({ ...body, promptTemplate: longest })
  const escaped = plain.replaceAll('語', String.raw`\u8a9e`)
  for (const sent of [plain, escaped]) expect((await post('/agents', sent)).status).toBe(201)
})

test('three prompts at their longest in emoji are taken as they are, and are too large escaped', async () => {
  const longest = '😀'.repeat(131_072)
  const body = { name: 'x', description: 'y', systemPrompt: longest, userPrompt: longest }
  const plain = JSON.stringify({ ...body, promptTemplate: longest })
  expect((await post('/agents', plain)).status).toBe(201)
  const escaped = plain.replaceAll('😀', String.raw`\ud83d\ude00`)
  expect((await post('/agents', escaped)).status).toBe(413)
})

describe('the body of deleteAgent changes nothing', () => {
  test.each([
    '{"a":1e400}',
    '{"a":9007199254740993}',
    String.raw`{"a":"\ud800"}`,
    String.raw`{"\udc00":1}`,
    `{"a":[${'0,'.repeat(10_001)}0]}`,
    `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`,
    '{"id":"another","name":null,"__proto__":{}}',
  ])('%.40s', async (body) => {
    const { id } = await makeAgent(client)
    expect((await send(url, 'DELETE', `/agents/${id}`, { body })).status).toBe(200)
  })
})

describe('custom ids', () => {
  test.each([
    [42, ['42']],
    [-1.5, ['-1.5']],
    [true, ['true']],
    [
      ['team-a', 7, false],
      ['team-a', '7', 'false'],
    ],
    [1e21, ['1e+21']],
    ['', ['']],
  ])('%j is found by its text', async (custom_id, texts) => {
    const id = await makeDatastore(client)
    const [own] = await upsert(client, id, { text: 'One.', metadata: { custom_id } })
    await upsert(client, id, { text: 'Another.', metadata: { custom_id: 'other' } })
    for (const text of texts) {
      const found = await query(client, id, {
        query: 'One',
        filters: { custom_ids: [text] },
      })
      expect(found.map(({ datasource_id }) => datasource_id)).toEqual([own])
    }
  })

  test.each([
    [{ a: 1 }, ''],
    [['a', { b: 1 }], '/1'],
    [['a', 'b', null], '/2'],
    [[['a']], '/0'],
  ])('%j is refused at its place', async (custom_id, place) => {
    const response = await upsertRaw(JSON.stringify({ text: 'x', metadata: { custom_id } }))
    const expected = [`/documents/0/metadata/custom_id${place}`]
    expect([response.status, await placesOf(response)]).toEqual([400, expected])
  })
})

describe('texts and queries that nobody can see', () => {
  test.each([
    '\u200b',
    '\u0000',
    '\u00ad\u2060',
    '\ufeff \u200d',
    '\u007f\u0085',
    '\u2028\u3164',
    '\u{e0041}\u{e007f}',
    '\u{e0100}',
    '\u{1d173}',
    '\uffff\ufdd0',
    '\ufe0f',
    '\u202e',
  ])('%j is refused in plain words', async (text) => {
    for (const [path, body, place] of [
      [upsertPath, { documents: [{ text }] }, '/documents/0/text'],
      [`/api/datastores/update/${datastoreId}`, { id: 'x', text }, '/text'],
      [queryPath, { query: text }, '/query'],
    ] as const) {
      const response = await post(path, JSON.stringify(body))
      const { detail } = await problemOf(response)
      expect([response.status, detail]).toEqual([
        400,
        `${place} must not be only white space and invisible characters.`,
      ])
    }
  })

  test.each(['\u200bx', 'x\u0000', '.', '\u0301', '👨‍👩‍👧‍👦', '\u0600', 'ا', '\u2800'])(
    '%j is taken',
    async (text) => {
      expect((await upsertRaw(JSON.stringify({ text }))).status).toBe(200)
      expect((await post(queryPath, JSON.stringify({ query: text }))).status).toBe(200)
    },
  )
})

describe('the detail of a 400', () => {
  test.each([
    [upsertPath, '{"documents":[{}]}', '/documents/0/text is required.'],
    [
      upsertPath,
      '{"documents":[{},{},{}]}',
      '/documents/0/text is required (and 2 more in errors).',
    ],
    [upsertPath, '{', 'The body is not JSON, from line 1, column 2 on.'],
    [
      upsertPath,
      '{"documents": [\n  {"text": yes}]}',
      'The body is not JSON, from line 2, column 12 on.',
    ],
    [upsertPath, '', 'The body is required.'],
    [upsertPath, '[]', 'The body must be an object.'],
    [upsertPath, 'null', 'The body must be an object, not null.'],
    [queryPath, '{"query":"x","topK":null}', '/topK is null; leave it out.'],
    [queryPath, '{"query":"x","topk":3}', '/topk is not known here; did you mean topK?'],
    [queryPath, '{"query":"x","top_k":3}', '/top_k is not known here; did you mean topK?'],
    [
      queryPath,
      '{"query":"x","filters":{"datasourceIds":[]}}',
      '/filters/datasourceIds is not known here; did you mean datasource_ids?',
    ],
    [queryPath, '{"query":"x","filter":{}}', '/filter is not known here; did you mean filters?'],
    [queryPath, '{"query":"x","nonsense":{}}', '/nonsense is not known here.'],
    [queryPath, '{"query":"x","topK":1.5}', '/topK must be a whole number.'],
    [
      '/agents',
      '{"name":"x","description":"y","systemprompt":"z"}',
      '/systemprompt is not known here; did you mean systemPrompt?',
    ],
    [
      '/datastores',
      `{"name":"x","${'n'.repeat(40_000)}":1}`,
      `/${'n'.repeat(256)}… is not known here.`,
    ],
  ])('%s %.60s', async (path, body, expected) => {
    const response = await post(path, body)
    expect([response.status, (await problemOf(response)).detail]).toEqual([400, expected])
  })

  test('of many unknown members only the first are told what is meant', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `top${'_'.repeat(index + 1)}K`)
    const { errors = [] } = await problemOf(
      await post(
        queryPath,
        JSON.stringify({ query: 'x', ...Object.fromEntries(names.map((name) => [name, 1])) }),
      ),
    )
    const told = errors.map(({ detail }) => detail.endsWith('did you mean topK?'))
    expect([errors.length, told[0], told.at(-1)]).toEqual([50, true, false])
  })

  test('an unknown query parameter', async () => {
    const response = await send(url, 'GET', '/agents?Limit=3')
    expect((await problemOf(response)).detail).toBe(
      '/query/Limit is not known here; did you mean limit?',
    )
  })
})

describe('a 400 names what is wrong with the query, the headers and the body together', () => {
  const condition = { 'if-none-match': '*' }

  test.each<[string, string, string, string, string[]]>([
    [
      'a header and the body',
      'PATCH',
      '/agents/x',
      '{}',
      ['/description', '/header/if-none-match'],
    ],
    [
      'a header, the id and the body',
      'PATCH',
      '/agents/x',
      '{"id":"y"}',
      ['/description', '/header/if-none-match', '/id'],
    ],
    [
      'a header and the id',
      'PATCH',
      '/agents/x',
      '{"id":"y","description":"z"}',
      ['/header/if-none-match', '/id'],
    ],
    [
      'the path, a header and the body',
      'PATCH',
      '/agents/%ff',
      '{}',
      ['/description', '/header/if-none-match', '/path/id'],
    ],
    [
      'the query, a header and the body',
      'PATCH',
      '/agents/x?a=1',
      '{}',
      ['/description', '/header/if-none-match', '/query/a'],
    ],
    [
      'a query that is not read, a header and the body',
      'PATCH',
      `/agents/x?${'a&'.repeat(101)}`,
      '{}',
      ['/description', '/header/if-none-match', '/query'],
    ],
  ])('%s', async (_, method, path, body, places) => {
    const response = await send(url, method, path, { body, headers: condition })
    expect([response.status, (await placesOf(response)).toSorted()]).toEqual([400, places])
  })

  test('a required parameter that cannot be read is not called missing', async () => {
    const path = `/datastores/${datastoreId}/datasources?filter=${encodeURIComponent('{"a":1e400}')}`
    const response = await send(url, 'DELETE', path, { headers: condition })
    const places = ['/header/if-none-match', '/query/filter/a']
    expect([response.status, (await placesOf(response)).toSorted()]).toEqual([400, places])
  })
})

test('a Content-Type of blanks is taken, and not what follows them', async () => {
  const blanks = ' '.repeat(14_000)
  for (const [type, expected] of [
    [`application/json${blanks};${blanks}x`, 200],
    [`application/json${blanks}x`, 415],
    [`application/json;charset=utf-8${blanks}x`, 415],
  ] as const) {
    const headers = { 'content-type': type }
    const { status } = await send(url, 'POST', queryPath, { body: '{"query":"x"}', headers })
    expect(status).toBe(expected)
  }
})

test('415: a merge patch is no update of an agent', async () => {
  const { id } = await makeAgent(client)
  const headers = { 'content-type': 'application/merge-patch+json' }
  const body = '{"description":"x"}'
  expect((await send(url, 'PATCH', `/agents/${id}`, { body, headers })).status).toBe(415)
})
