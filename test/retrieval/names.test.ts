import { beforeAll, describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { Provider } from '../support/provider.ts'
import { joinServer, startServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const { client } = await joinServer()

/** What a document is called, and above what its words stand, is searched with its words. */

const others = [
  { name: 'Contact', text: 'The opening times are told by telephone; refunds by e-mail.' },
  { name: 'queue_reader', text: 'Reads what a write puts into the line, in order.' },
  { name: 'Terms', text: 'Whoever writes to us about a refund gets an answer by the policy.' },
]

const named = [
  ['Opening hours', 'Monday to Friday from nine to five.', 'opening hours'],
  ['refund-policy.pdf', 'Money goes back within thirty days.', 'refund-policy.pdf'],
  ['write_queue', 'Everything that waits goes into one commit.', 'write_queue'],
  ['Apache License, Version 2.0', 'Redistributions must keep this notice.', 'apache license'],
  ['Straßenreinigung', 'Jeden zweiten Dienstag ab sieben Uhr.', 'wann ist Straßenreinigung'],
  ['図書館の利用案内', '一度に五冊まで借りられます。', '図書館 利用案内'],
] as const

describe.each(['hybrid', 'keyword', 'vector'] as const)('by %s', (mode) => {
  let id: string
  beforeAll(async () => {
    id = await makeDatastore(client)
    await upsert(client, id, ...others, ...named.map(([name, text]) => ({ name, text })))
  })

  test.each(named)('%s is found by its name', async (name, text, asked) => {
    const [first] = await query(client, id, { query: asked, mode })
    expect(first).toMatchObject({ datasource_name: name, text })
  })
})

const filler = (n: number) =>
  `Paragraph ${n} of a part goes on about ${'this and that '.repeat(9)}.`
const part = (heading: string, from: number) =>
  `${heading}\n\n${Array.from({ length: 24 }, (_, n) => filler(from + n)).join('\n\n')}`

test.each([
  ['# Manual', '## Installing on Windows', '## Configuring a proxy', '## Uninstalling'],
  ['= Manual', '== Installing on Windows', '== Configuring a proxy', '== Uninstalling'],
  [
    'Manual\n======',
    'Installing on Windows\n---------------------',
    'Configuring a proxy\n-------------------',
    'Uninstalling\n------------',
  ],
])('a fragment is found by the heading above it: %s', async (title, ...headings) => {
  const id = await makeDatastore(client)
  const text = [title, ...headings.map((heading, n) => part(heading, 100 * n))].join('\n\n')
  await upsert(client, id, { name: 'guide', text }, ...others)
  const [, from] = ['', 100]
  const found = await query(client, id, { query: `configuring a proxy, paragraph ${from + 20}` })
  expect(found[0]?.text).toContain(`Paragraph ${from + 20} `)
  expect(found[0]?.text).not.toContain('Configuring')
  for (const fragment of found) expect(text + others[0]!.text).toContain(fragment.text)
})

test('an update of the name alone is found by the new name, and no more by the old', async () => {
  const id = await makeDatastore(client)
  const text = 'Nine to five.'
  const [first = ''] = await upsert(client, id, { name: 'Zebra crossing', text }, ...others)
  const find = (asked: string) => query(client, id, { query: asked, mode: 'keyword' })
  const rename = (body: { name?: string; text: string }) =>
    sdk.updateDatasource({
      client,
      path: { datastoreId: id },
      body: { id: first, ...body },
      throwOnError: true,
    })
  await rename({ name: 'Walrus pool', text })
  expect((await find('walrus'))[0]?.datasource_id).toBe(first)
  expect(await find('zebra')).toEqual([])
  await rename({ text: 'Ten to six.' })
  expect((await find('walrus'))[0]).toMatchObject({ text: 'Ten to six.', datasource_id: first })
  await rename({ name: '', text })
  expect(await find('walrus')).toEqual([])
})

test(
  'renames beside updates of the text leave the tokens of the name that stays',
  { tags: 'deep' },
  async () => {
    const id = await makeDatastore(client)
    const [first = ''] = await upsert(client, id, { name: 'start', text: 'Nothing.' })
    const path = { datastoreId: id }
    const updates = Array.from({ length: 12 }, (_, n) => ({
      text: `Text ${n}.`,
      ...(n % 2 === 0 && { name: `walrus${n} pool` }),
    }))
    await Promise.all(
      updates.map((body) =>
        sdk.updateDatasource({ client, path, body: { id: first, ...body }, throwOnError: true }),
      ),
    )
    const where = { id, datasourceId: first }
    const { data } = await sdk.getDatasource({ client, path: where, throwOnError: true })
    const [name = ''] = data.name.split(' ')
    expect(await query(client, id, { query: name, mode: 'keyword' })).toHaveLength(1)
    const [best] = await query(client, id, { query: `${data.name}\n${data.text}`, mode: 'vector' })
    expect(best?.score).toBeCloseTo(1, 5)
  },
)

test(
  'a provider embeds a text below its name and headings, and is not asked for a rename',
  { tags: 'deep' },
  async () => {
    const provider = await Provider.start()
    const { client: own } = await startServer({ provider: provider.settings })
    const id = await makeDatastore(own)
    const text = `# Guide\n\n${part('## Pools', 0)}`
    const [first = ''] = await upsert(own, id, { name: 'Walrus', text })
    const inputs = provider.calls.slice(1).flatMap(({ body }) => body.input)
    expect(inputs.length).toBeGreaterThan(2)
    expect(inputs[0]).toMatch(/^Walrus\n# Guide\n/)
    expect(inputs.at(-1)).toMatch(/^Walrus\nGuide\nPools\nParagraph/)
    provider.calls.length = 0
    const body = { id: first, name: 'Zebra', text }
    const path = { datastoreId: id }
    await sdk.updateDatasource({ client: own, path, body, throwOnError: true })
    expect(provider.calls).toEqual([])
    expect(await query(own, id, { query: 'zebra', mode: 'keyword', topK: 100 })).toHaveLength(
      inputs.length,
    )
  },
)
