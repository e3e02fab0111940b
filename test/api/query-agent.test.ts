import { describe, expect, test } from 'vitest'
import type { QueryAgent } from '../../generated/types.gen.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { Override, Scope, Visibility } from '../../generated/types.gen.ts'
import { stream } from '../support/librarian.ts'
import { Provider } from '../support/provider.ts'
import { checkedClient, joinServer, startServer } from '../support/server.ts'
import { xquad } from '../support/xquad.ts'
import { makeAgent, makeDatastore, makeKey, makeLearnedAgent, upsert } from '../support/things.ts'

const { client, url } = await joinServer()

const documents = [
  {
    text: 'Who can help? The library opens at nine in the morning, Monday to Saturday. On Sundays it is closed.',
    name: 'Opening hours',
    metadata: { source_url: 'https://library.example/hours', custom_id: 'main-street' },
  },
  { text: 'The pool opens at seven in the morning.', metadata: { custom_id: 'pool' } },
]
const { agent, datastore, datasources } = await makeLearnedAgent(client, documents)

async function ask(body: QueryAgent, id = agent, by = client) {
  const { data } = await sdk.queryAgent({ client: by, path: { id }, body, throwOnError: true })
  return data
}

test('200: a paragraph of a document, with its citation', async () => {
  const given = await ask({ query: 'When does the library open?', visitorId: 'ann' })
  const said =
    'The library opens at nine in the morning, Monday to Saturday. On Sundays it is closed.'
  expect(given).toMatchObject({
    answer: said,
    answered: true,
    visitorId: 'ann',
    model: 'extractive-1',
    finishReason: 'stop',
    usage: { inputTokens: 0, outputTokens: 0 },
  })
  const [source] = given.sources
  expect(source).toMatchObject({
    text: documents[0]!.text,
    source: 'https://library.example/hours',
    datasource_id: datasources[0],
    datasource_name: 'Opening hours',
    datastore_id: datastore,
    start: 0,
    end: documents[0]!.text.length,
  })
  const start = documents[0]!.text.indexOf(said)
  const quote = { text: said, start, end: start + said.length }
  const citation = { start: 0, end: said.length, source: 0, quote, support: 1 }
  expect(given.citations).toEqual([citation])
})

const hours = 'Monday to Friday from nine to five.'

test.each([
  ['a Markdown heading', `# Library\n\n## Opening hours\n\n${hours}`, '\n\n## Fees\n\nNone.'],
  ['an underlined one', `Opening hours\n=============\n\n${hours}`, ''],
  ['one on a line of its own', `## Opening hours\r\n${hours}`, '\r\n'],
  ['one in capitals', `OPENING HOURS\n       ${hours}`, ''],
])('200: what stands below %s answers, and it stands above it', async (_, text, rest) => {
  const { agent: id } = await makeLearnedAgent(client, [text + rest])
  const { answer, citations } = await ask({ query: 'What are the opening hours?' }, id)
  expect(answer).toBe(text.replace('# Library\n\n', ''))
  expect(citations).toHaveLength(1)
})

test.each([
  ['a question', `What are the opening hours?\n${hours}`],
  ['a question in bold', `**What are the opening hours?**\n\n${hours}`],
  ['a comment', `## Opening hours\n\n<!-- YAML\nadded: v1.0.0\n\nchanges: none\n-->\n\n${hours}`],
  ['an anchor', `## Hours\n\n<a id="opening-hours"></a>\n\n${hours}`],
  ['an anchor of reStructuredText', `.. _opening-hours:\n\n${hours}`],
  ['a table of contents', `- [Opening hours](#opening-hours)\n- [Fees](#fees)\n\n${hours}`],
  ['badges', `[![opening hours](https://x.example/hours.svg)](https://x.example)\n\n${hours}`],
  ['a synopsis', `SYNOPSIS\n       opening hours [-a] [file...]\n\nDESCRIPTION\n${hours}`],
  ['a program’s name', `NAME\n       hours - opening hours\n\nDESCRIPTION\n${hours}`],
  ['front matter', `---\ntitle: Opening hours\ndescription: Opening hours\n---\n\n${hours}`],
  ['a form', `Opening hours: ____ Name: ____\n\n${hours}`],
])('200: %s is never quoted', async (_, text) => {
  const { agent: id } = await makeLearnedAgent(client, [`${text}\n\n</details>\n`])
  const { answer } = await ask({ query: 'What are the opening hours on Monday?' }, id)
  expect(answer.replace(/^(?:DESCRIPTION|## Hours)\n/, '')).toBe(hours)
})

test('200: a word that is a letter and a sign is asked for too', async () => {
  const { agent: id } = await makeLearnedAgent(client, [
    'F# is for functions.',
    'C# was made by Microsoft.',
    'C++ is older than both.',
  ])
  expect((await ask({ query: 'What is C#?' }, id)).answer).toBe('C# was made by Microsoft.')
  expect((await ask({ query: 'And C++?' }, id)).answer).toBe('C++ is older than both.')
})

test('200: a number that looks like another is not taken for it', async () => {
  const { agent: id } = await makeLearnedAgent(client, [
    'AX1077 is blue.',
    'AX1070 is red.',
    'AX1007 is green.',
  ])
  expect((await ask({ query: 'Which colour has AX1070?' }, id)).answer).toBe('AX1070 is red.')
  expect((await ask({ query: 'Which colour has AX1071?' }, id)).answered).toBe(false)
})

test('200: of rooms by number, the one that is asked for answers, or none', async () => {
  const { agent: id } = await makeLearnedAgent(client, [
    'The number of Room 1 is 101.',
    'The number of room 2 is 102.',
    'The key of room 4 hangs at the door, and its number is 104.',
  ])
  const numberOf = async (room: number) =>
    (await ask({ query: `What is the number of room ${room}?` }, id)).answer
  expect(await numberOf(2)).toBe('The number of room 2 is 102.')
  expect(await numberOf(4)).toMatch(/104/)
  expect((await ask({ query: 'What is the number of room 3?' }, id)).answered).toBe(false)
  const { agent: needy } = await makeLearnedAgent(client, ['The service needs Node 20, or later.'])
  expect((await ask({ query: 'Does the service need Node 18?' }, needy)).answer).toMatch(/20/)
})

test('200: a row of a table answers with the words of its head, and code is whole', async () => {
  const rows = ['| Plan | Price | Storage |', '|---|---|---|', '| Basic | 5 EUR | 10 GB |']
  const table = [...rows, '| Pro | 20 EUR | 100 GB |', '| Team | 50 EUR | 1 TB |'].join('\n')
  const code = 'Install the frobnicator:\n\n```sh\nnpm install frobnicator\nfrob --init\n```\n'
  const wrapped = 'The café is on\r\nthe second floor of the\r\nbuilding.\r\n'
  const { agent: id } = await makeLearnedAgent(client, [table, code, wrapped])
  const answerTo = async (query: string) => (await ask({ query }, id)).answer
  const pro = await ask({ query: 'What is the price of the Pro plan?' }, id)
  expect(pro.answer).toBe(`${rows[0]}\n| Pro | 20 EUR | 100 GB |`)
  expect(pro.citations.map(({ quote }) => quote.text)).toEqual(pro.answer.split('\n'))
  expect(await answerTo('How much storage has Team?')).toBe(`${rows[0]}\n| Team | 50 EUR | 1 TB |`)
  expect(await answerTo('npm frobnicator')).toBe(code.trim())
  expect(await answerTo('Where is the café?')).toBe(wrapped.trim())
})

test.each([
  ['a comma', 'From,Departs,Fare\nKeld,7:15,3.50\nMuker,8:15,4.50\nReeth,9:15,5.50'],
  ['a semicolon', 'From;Departs;Fare\nKeld;7:15;3,50\nMuker;8:15;4,50\nReeth;9:15;5,50'],
  ['a tab', 'From\tDeparts\tFare\nKeld\t7:15\t3.50\nMuker\t8:15\t4.50\nReeth\t9:15\t5.50'],
])('200: a row of fields with %s between answers with its head alone', async (_, text) => {
  const { agent: id } = await makeLearnedAgent(client, [{ text, name: 'ferries' }])
  const [head, , muker] = text.split('\n')
  const given = await ask({ query: 'When departs the ferry from Muker?' }, id)
  expect(given.answer).toBe(`${head}\n${muker}`)
  expect(given.citations.map(({ quote }) => quote.text)).toEqual([head, muker])
})

test('200: an article’s row, and none of an article with nearly its number', async () => {
  const rows = Array.from({ length: 40 }, (_, n) => `| AX${1050 + n} | clamp ${n} | ${n}.50 |`)
  const table = ['| Article | Name | Price |', '| --- | --- | --- |', ...rows].join('\n')
  const { agent: id } = await makeLearnedAgent(client, [table])
  const { answer } = await ask({ query: 'What does AX1070 cost?' }, id)
  expect(answer).toBe('| Article | Name | Price |\n| AX1070 | clamp 20 | 20.50 |')
})

test('200: the row of a version, and none whose numbers are alike', async () => {
  const table = [
    'version,codename,created,released',
    '10.04 LTS,Lucid Lynx,2009-10-29,2010-04-29',
    '10.10,Maverick Meerkat,2010-04-29,2010-10-10',
    '22.04 LTS,Jammy Jellyfish,2021-10-14,2022-04-21',
    '21.04,Hirsute Hippo,2020-10-22,2021-04-22',
  ]
  const { agent: id } = await makeLearnedAgent(client, [table.join('\n')])
  for (const [version, row] of [
    ['10.04', 1],
    ['10.10', 2],
    ['22.04', 3],
    ['21.04', 4],
  ] as const) {
    const { answer } = await ask({ query: `When was ${version} released?` }, id)
    expect(answer).toBe(`${table[0]}\n${table[row]}`)
  }
})

test('200: the row of a name, and not the head that a comment marks', async () => {
  const names = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((letter) =>
    'ania oria undi erra alta ilon eros unga acia elia orra ivia'
      .split(' ')
      .map((end) => letter + end),
  )
  const rows = names.map((name, n) => `${name[0]}${'ABCDEFGHIJKL'[n % 12]}\t${name}`)
  const head = '#code\tname of country, territory, area, or subdivision'
  const table = ['# The table is sorted by country code.', '#', '#country-', head, ...rows].join(
    '\n',
  )
  const { agent: id } = await makeLearnedAgent(client, [table])
  for (const name of ['Nerra', 'Zoria', 'Aania']) {
    const { answer } = await ask({ query: `What is the country code of ${name}?` }, id)
    expect(answer.split('\n')).toContain(rows[names.indexOf(name)])
  }
})

test('200: one passage of one document, where others say the same', async () => {
  const said =
    'The bridge of Keld was built of stone by monks in a summer without rain.\n\nIt fell.'
  const { agent: id } = await makeLearnedAgent(client, [
    said,
    'Monks built the bridge of Muker of wood.',
    'The bridge of Reeth was built of steel.',
  ])
  const { answer, citations, sources } = await ask({ query: 'Who built the bridge of Keld?' }, id)
  expect(answer).toBe(said)
  expect(citations).toHaveLength(1)
  expect(sources).toHaveLength(3)
})

const memory =
  '## Memory\n\nTo clear the cache, call:\n\n```js\npurge({ all: true })\n```\n\nIt stays empty for a minute.'
const jsonFiles = '## Exports\n\n- Never stops.\n- Writes JSON files at night.'
const frobnication =
  'The frobnication error is thrown by the server when a user-supplied\n`name` violates the rules of encoding.'
const links =
  '[gate]: https://example.com/of/another/long/address/elsewhere\n[wimplet]: https://example.com/of/a/long/address'
const settings = 'MAX_RETRIES=100\nRETRY_SECONDS=30'
const times = 'CHECKOUT TIME 11 AM\nBREAKFAST FROM 7 TO 10'
let allKinds: ReturnType<typeof makeLearnedAgent> | undefined
const processes = 'To print the process tree:\n\n```sh\nps -ejH\n```'

test.each([
  ['which version added the opening hours', '<!--\nadded: v1.0.0 -->'],
  ['who throws the frobnication error', frobnication],
  ['where is the wimplet', links],
  ['how to clear the cache', memory],
  ['what writes JSON files at night', jsonFiles],
  ['what is MAX_RETRIES', 'MAX_RETRIES=100'],
  ['checkout time', times],
  ['print the process tree', processes],
])('200: %s is answered with all that says it', async (asked, answer) => {
  const { agent: id } = await (allKinds ??= makeLearnedAgent(client, [
    '## Opening hours\n\n<!--\nadded: v1.0.0 -->\n\nMonday to Friday from nine to five.',
    memory,
    [
      '## Imports\n\n- Reads JSON files at noon.\n',
      '## Moves\n\n- Moves JSON files by hand.\n',
      '## Copies\n\n- Copies JSON files in spring.\n',
      `${jsonFiles}\n`,
    ].join('\n'),
    frobnication,
    links,
    settings,
    times,
    `The process tree is what trees print. The process tree may print in color.\n\n${processes}`,
  ]))
  expect((await ask({ query: asked }, id)).answer).toBe(answer)
})

test('200: a text that only asks answers nothing', async () => {
  const { agent: id } = await makeLearnedAgent(client, ['When does the library open? Who knows?'])
  const query = 'When does the library open?'
  expect(await ask({ query }, id)).toMatchObject({ answered: false, sources: [] })

  // The vectors of a model find it all the same.
  const remote = await startServer({ provider: (await Provider.start()).settings })
  const other = await makeLearnedAgent(remote.client, ['Who knows? And when?'])
  const given = await ask({ query }, other.agent, remote.client)
  expect(given).toMatchObject({ answered: false, finishReason: 'no_answer', citations: [] })
  expect(given.answer).not.toBe('')
})

test.each([
  [
    'Wer umzieht, meldet den Zähler vorher ab.',
    'Wann muss ich den Zähler abmelden?',
    'Wer ist König?',
  ],
  ['Czynsz płaci się do dziesiątego.', 'Do kiedy trzeba zapłacić czynsz?', 'Ile nóg ma pająk?'],
  ['El poeta murió en agosto de 1936.', '¿De qué murió el poeta?', '¿Quién ganó el partido?'],
  ['房租每月五号之前支付。', '房租什么时候支付？', '蜘蛛有几条腿？'],
  ['ห้องสมุดเปิดเวลาเก้าโมงเช้าทุกวัน', 'ห้องสมุดเปิดเวลากี่โมง', 'แมงมุมมีกี่ขา และใครเป็นนายกรัฐมนตรีของญี่ปุ่น'],
])('200: %s answers %s, and not %s', async (text, covered, off) => {
  const { agent: id } = await makeLearnedAgent(client, [text])
  expect([
    (await ask({ query: covered }, id)).answer,
    (await ask({ query: off }, id)).answered,
  ]).toEqual([text, false])
})

test('200: what nothing covers is declined, in the words of the agent', async () => {
  const { agent: id } = await makeLearnedAgent(client, documents, {}, { noAnswer: 'Ask Ann.' })
  for (const query of ['Which river flows through Paris?', 'What?', '?!']) {
    const declined = { answer: 'Ask Ann.', answered: false, sources: [], citations: [] }
    expect(await ask({ query }, id)).toMatchObject({ ...declined, finishReason: 'no_answer' })
  }
  expect(await ask({ query: 'When does the library open?', minScore: 1 }, id)).toMatchObject({
    answered: false,
  })
  const bare = await makeAgent(client)
  expect(await ask({ query: 'When does the library open?' }, bare.id)).toMatchObject({
    answered: false,
  })
})

test('200: filters of the question and of the knowledge both count', async () => {
  const { agent: id } = await makeLearnedAgent(
    client,
    [...documents, { text: 'The museum opens at ten.', metadata: { custom_id: 'museum' } }],
    {},
    { filters: { custom_ids: ['pool', 'museum'] } },
  )
  const namesOf = async (filters: QueryAgent['filters']) => {
    const query = 'When does the library, the pool or the museum open?'
    const { sources } = await ask({ query, ...(filters && { filters }) }, id)
    return sources.map(({ text }) => text.split(' ')[1]).toSorted()
  }
  expect(await namesOf(undefined)).toEqual(['museum', 'pool'])
  expect(await namesOf({ custom_ids: ['main-street', 'museum'] })).toEqual(['museum'])
  expect(await namesOf({ custom_ids: [] })).toEqual([])
})

test('200: several datastores, the best first, and no text twice', async () => {
  const second = await makeDatastore(client)
  await upsert(client, second, documents[0]!, 'Until six the library is open on Saturday.')
  const { agent: id } = await makeLearnedAgent(client, documents)
  const knowledge = await sdk.getKnowledge({ client, path: { id }, throwOnError: true })
  const datastoreIds = [...knowledge.data.datastoreIds, second]
  await sdk.putKnowledge({ client, path: { id }, body: { datastoreIds }, throwOnError: true })
  const { sources } = await ask({ query: 'When does the library open on Saturday?' }, id)
  const texts = sources.map(({ text }) => text)
  expect(new Set(texts).size).toBe(texts.length)
  const scores = sources.map(({ score }) => score)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(new Set(sources.map((one) => one.datastore_id)).size).toBe(2)
  const one = await ask({ query: 'When does the library open on Saturday?', topK: 1 }, id)
  expect(one.sources).toEqual(sources.slice(0, 1))
})

test('200: of datastores of different size, the small one that answers comes first', async () => {
  const small = await makeDatastore(client)
  const note = 'The library opens at nine.'
  await upsert(client, small, note)
  const many = Array.from(
    { length: 300 },
    (_, n) => `To open library ${n} of the compiler, call open(library, ${n}) when it is linked.`,
  )
  const { agent: id, datastore: large } = await makeLearnedAgent(client, many)
  const body = { datastoreIds: [large, small] }
  await sdk.putKnowledge({ client, path: { id }, body, throwOnError: true })
  const { answer, sources } = await ask({ query: 'When does the library open?' }, id)
  expect([answer, sources[0]?.datastore_id]).toEqual([note, small])
  expect(sources.some(({ datastore_id: of }) => of === large)).toBe(true)
})

test('200: among many documents a question about none of them is declined', async () => {
  const { paragraphs, questions } = xquad
  const { agent: id } = await makeLearnedAgent(client, paragraphs)
  const known = questions.slice(0, 20).map(({ question }) => question)
  const strange = [
    'How long do I boil an egg?',
    'Which bus goes to the zoo?',
    'How do I reset the password of my router?',
    'Who won the chess tournament last night?',
    'What is the price of a haircut?',
  ]
  const answeredOf = async (queries: string[]) => {
    const given: boolean[] = []
    for (const query of queries) given.push((await ask({ query, store: false }, id)).answered)
    return given.filter(Boolean).length
  }
  await expect.poll(() => answeredOf(strange), { timeout: 30_000 }).toBe(0)
  expect(await answeredOf(known)).toBeGreaterThan(known.length * 0.8)
})

test('200: a stream holds what the JSON answer does', async () => {
  const body = { query: 'Is the library open on Sundays?', store: false }
  const { events } = await stream(client, agent, body)
  const whole = await ask(body)
  const text = events.map((event) => (event.type === 'answer' ? event.delta : '')).join('')
  expect(events[0]).toEqual({ type: 'sources', sources: whole.sources })
  expect(text).toBe(whole.answer)
  const cited = events.flatMap((event) => (event.type === 'citation' ? event.citation : []))
  expect(cited).toEqual(whole.citations)
  expect(events.at(-1)).toEqual({ type: 'done', answer: whole })
})

test('200: with store false nothing is kept', async () => {
  const { agent: id } = await makeLearnedAgent(client, documents)
  const given = await ask({ query: 'When does the library open?', store: false }, id)
  const none = { conversationId: null, messageId: null, visitorId: null }
  expect(given).toMatchObject({ answered: true, ...none })
  const { data } = await sdk.listConversations({ client, path: { id }, throwOnError: true })
  expect(data.data).toEqual([])
})

test('404: a private agent, for a key that may only ask', async () => {
  const { key } = await makeKey(client, { scopes: [Scope.AGENTS_QUERY] })
  const visitor = checkedClient(url, key)
  const open = await makeLearnedAgent(client, documents, { visibility: Visibility.PUBLIC })
  const body = { query: 'When does the library open?' }
  const statusOf = async (id: string) =>
    (await sdk.queryAgent({ client: visitor, path: { id }, body })).response?.status
  expect([await statusOf(open.agent), await statusOf(agent)]).toEqual([200, 404])
  const [never, hidden] = await Promise.all(
    ['agt_unknown', agent].map(async (id) => {
      const { error } = await sdk.queryAgent({ client: visitor, path: { id }, body })
      return error?.detail.replace(id, 'ID')
    }),
  )
  expect(hidden).toBe(never)
})

test('403: prompts in the place of the agent’s need agents:write', async () => {
  const scopes = [Scope.AGENTS_QUERY, Scope.AGENTS_READ]
  const reader = checkedClient(url, (await makeKey(client, { scopes })).key)
  for (const prompt of ['systemPrompt', 'userPrompt']) {
    const body = { query: 'When?', [prompt]: '' }
    const { response, error } = await sdk.queryAgent({ client: reader, path: { id: agent }, body })
    expect([response?.status, error?.code]).toEqual([403, 'insufficient_scope'])
    expect(error?.detail).toContain(`${prompt}; use a key with agents:write`)
  }
})

describe('403: what the owner of an agent pays for is not for those who only ask to choose', () => {
  const overrides: Required<Pick<QueryAgent, Override>> = {
    modelName: 'gpt_4_32k',
    temperature: 1,
    topK: 32,
    minScore: -1,
  }
  const names = Object.values(Override)
  const query = 'When does the library open?'
  const attempt = async (id: string, some: string[], scopes: Scope[]) => {
    const by = checkedClient(url, (await makeKey(client, { scopes })).key)
    const chosen = Object.fromEntries(
      Object.entries(overrides).filter(([name]) => some.includes(name)),
    )
    const { response, error } = await sdk.queryAgent({
      client: by,
      path: { id },
      body: { query, ...chosen },
    })
    return [response?.status, error?.detail] as const
  }
  const asking = [Scope.AGENTS_QUERY, Scope.AGENTS_READ]
  const open = { visibility: Visibility.PUBLIC }

  test.each(names)('%s, unless the knowledge names it', async (name) => {
    const { agent: closed } = await makeLearnedAgent(client, documents, open)
    for (const scopes of [[Scope.AGENTS_QUERY], asking]) {
      expect(await attempt(closed, [name], scopes)).toEqual([403, expect.stringContaining(name)])
    }
    const put = { overrides: [name] }
    const { agent: allowing } = await makeLearnedAgent(client, documents, open, put)
    expect(await attempt(allowing, [name], [Scope.AGENTS_QUERY])).toEqual([200, undefined])
    const others = names.filter((other) => other !== name)
    const [status, detail] = await attempt(allowing, names, [Scope.AGENTS_QUERY])
    expect([status, names.filter((one) => detail?.includes(one))]).toEqual([403, others])
  })

  test('a key with agents:write chooses all of it, and an agent without knowledge allows none', async () => {
    const { id } = await makeAgent(client, open)
    expect(await attempt(id, names, [...asking, Scope.AGENTS_WRITE])).toEqual([200, undefined])
    expect((await attempt(id, names, asking))[0]).toBe(403)
  })

  test('a private agent is 404 to a key that may only ask, whatever it sends', async () => {
    expect((await attempt(agent, names, [Scope.AGENTS_QUERY]))[0]).toBe(404)
  })
})
