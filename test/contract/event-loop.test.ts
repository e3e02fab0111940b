import { expect, test } from 'vitest'
import { styles, textOf } from '../support/hostile-texts.ts'
import { joinServer, testKey } from '../support/server.ts'
import { makeDatastore, makeLearnedAgent, upsert } from '../support/things.ts'

const { client, url } = await joinServer()
const headers = { Authorization: `Bearer ${testKey}`, 'Content-Type': 'application/json' }
const datastore = await makeDatastore(client)

type Sent = { path: string; method?: string; type?: string; body: string | Buffer<ArrayBuffer> }

const many = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index))
const numbers = (count: number) => Object.fromEntries(many(count, (n) => [n, (n + 1) * Math.PI]))
const upsertOf = (documents: object[]): Sent => ({
  path: `/api/datastores/upsert/${datastore}`,
  body: JSON.stringify({ documents }),
})

const kinds: [name: string, status: number, make: () => Promise<Sent>][] = [
  ...['lists', 'Chinese'].map((name): (typeof kinds)[number] => [
    `a question of 8,192 characters about ${name}`,
    200,
    async () => {
      const { query } = styles[name]!
      const texts = many(16, () => textOf(styles[name]!))
      const { agent } = await makeLearnedAgent(client, texts, {}, { topK: 32 })
      return { path: `/agents/${agent}/query`, body: JSON.stringify({ query, store: false }) }
    },
  ]),
  [
    'a query of 8,192 characters with highlights',
    200,
    async () => {
      const texts = many(20, () => textOf(styles.prose!))
      const id = await makeDatastore(client)
      await upsert(client, id, ...texts)
      const body = { query: styles.prose!.query, topK: 100, include: ['highlights'] }
      return { path: `/datastores/${id}/query`, body: JSON.stringify(body) }
    },
  ],
  [
    'metadata of many numbers in many documents',
    413,
    async () => upsertOf(many(300, () => ({ text: 'x', metadata: numbers(600) }))),
  ],
  [
    'metadata that is too large in many documents',
    400,
    async () => upsertOf(many(300, () => ({ text: 'x', metadata: numbers(700) }))),
  ],
  [
    'a text of a megabyte',
    200,
    async () => upsertOf([{ text: 'The river runs by. '.repeat(50_000) }]),
  ],
]

/** Resolves with the names in the order that their answers come. */
async function race({
  path,
  method = 'POST',
  body,
}: Sent): Promise<[order: string[], status: number]> {
  const order: string[] = []
  const hostile = fetch(url + path, { method, headers, body }).then(async (answer) => {
    await answer.text()
    order.push('hostile')
    return answer.status
  })
  let isDone = false
  void hostile.finally(() => (isDone = true))
  while (!isDone) {
    await fetch(`${url}/health/live`).then((answer) => answer.text())
    order.push('live')
  }
  return [order, await hostile]
}

test.each(kinds)(
  'others are answered while the server works on %s',
  { tags: 'deep' },
  async (_, status, make) => {
    const [order, given] = await race(await make())
    expect(given).toBe(status)
    // One may come before the work has begun.
    expect(order.slice(0, order.indexOf('hostile')).length).toBeGreaterThan(3)
  },
)
