import { describe, expect, test } from 'vitest'
import { Provider } from '../support/provider.ts'
import { startServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const provider = await Provider.start()
const servers = {
  'the built-in embedder': await startServer(),
  'a provider': await startServer({ provider: provider.settings }),
}
const modes = ['hybrid', 'keyword', 'vector'] as const

const refund = 'Refunds are paid within thirty days of purchase.'
const cases = [
  { copies: 8, names: '', others: ['To ask for a refund, write to the shop.'] },
  { copies: 12, names: '', others: ['No refund for tickets.', 'A refund takes long.'] },
  { copies: 12, names: 'c', others: ['To ask for a refund, write to the shop.'] },
  { copies: 60, names: 'copy ', others: ['Refund of deposits: at the desk.', 'Opening hours.'] },
]

for (const [name, { client }] of Object.entries(servers)) {
  const tags = name === 'a provider' ? ['deep'] : []
  describe(`with ${name}`, { tags }, () => {
    test.each(cases)(
      '$copies copies with names "$names" have one score, in the order of their ids',
      async ({ copies, names, others }) => {
        const id = await makeDatastore(client)
        const documents = Array.from({ length: copies }, (_copy, n) => ({
          text: refund,
          name: names && names + n,
        }))
        await upsert(client, id, ...others, ...documents)
        for (const mode of modes) {
          // By vector a name is part of what is compared.
          if (mode === 'vector' && names) continue
          const found = await query(client, id, { query: 'refund', topK: 100, mode })
          const same = found.filter(({ text }) => text === refund)
          expect(same).toHaveLength(copies)
          expect(new Set(same.map(({ score }) => score)).size).toBe(1)
          const ids = same.map(({ datasource_id }) => datasource_id)
          expect(ids).toEqual(ids.toSorted())
        }
      },
    )

    test.each(modes)(
      'distinct gives each text once, and fills topK with others: %s',
      async (mode) => {
        const id = await makeDatastore(client)
        const copies = Array.from({ length: 400 }, (_copy, n) => (n % 2 ? refund : `${refund}\n`))
        const others = Array.from(
          { length: 20 },
          (_other, n) => `A long talk about a refund, ${n}.`,
        )
        await upsert(client, id, ...copies, ...others)
        const ask = (distinct: boolean, topK: number) =>
          query(client, id, { query: refund, topK, mode, distinct })
        const same = await ask(false, 10)
        expect(new Set(same.map(({ text }) => text.trim()))).toEqual(new Set([refund]))
        for (const topK of [1, 10, 21, 100]) {
          const texts = (await ask(true, topK)).map(({ text }) => text.trim())
          expect(texts).toHaveLength(Math.min(topK, 21))
          expect(new Set(texts).size).toBe(texts.length)
          expect(texts[0]).toBe(refund)
        }
      },
    )

    test('distinct looks on beside more copies than a search finds', async () => {
      const id = await makeDatastore(client)
      const others = Array.from({ length: 20 }, (_other, n) => `A long talk about a refund, ${n}.`)
      const copies = Array.from({ length: 350 }, () => refund)
      for (const more of [[], [], others]) await upsert(client, id, ...copies, ...more)
      for (const mode of modes) {
        const found = await query(client, id, { query: refund, topK: 10, mode, distinct: true })
        expect(new Set(found.map(({ text }) => text)).size).toBe(10)
        expect(found[0]?.text).toBe(refund)
      }
    })
  })
}

test('of copies under different names the one is best that the query names', async () => {
  const { client } = servers['the built-in embedder']
  const id = await makeDatastore(client)
  const names = ['terms.md', 'refunds.md', 'contact.md']
  await upsert(client, id, ...names.map((name) => ({ name, text: 'Thirty days.' })), 'Other words.')
  for (const mode of ['hybrid', 'keyword'] as const) {
    for (const name of names) {
      for (const distinct of [false, true]) {
        const [first] = await query(client, id, { query: name, mode, distinct })
        expect(first?.datasource_name).toBe(name)
      }
    }
  }
})

test('distinct is false when absent', async () => {
  const { client } = servers['the built-in embedder']
  const id = await makeDatastore(client)
  await upsert(client, id, 'Twins.', 'Twins.')
  expect(await query(client, id, { query: 'twins' })).toHaveLength(2)
  expect(await query(client, id, { query: 'twins', distinct: true })).toHaveLength(1)
})
