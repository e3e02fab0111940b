import { beforeAll, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { joinServer } from '../support/server.ts'
import { makeDatastore, makeLearnedAgent, query, upsert } from '../support/things.ts'
import { emptyQueries, questions, texts } from './collection.ts'

/** What good retrieval of words, their forms and their spelling may leave to a model. */
const mostMisses = 2

const { client } = await joinServer()

let id: string
beforeAll(async () => {
  id = await makeDatastore(client)
  await upsert(client, id, ...Object.entries(texts).map(([name, text]) => ({ name, text })))
})

test('whatever its language, a question finds the text that answers it first', async () => {
  const misses: string[] = []
  for (const { query: asked, right, group } of questions) {
    const [first] = await query(client, id, { query: asked, topK: 1 })
    const found = first?.datasource_name
    if (found !== right) misses.push(`${group}: "${asked}" finds ${found} instead of ${right}`)
  }
  expect(misses.length, misses.join('\n')).toBeLessThanOrEqual(mostMisses)
})

test(
  'an agent declines at most one question of a language that its datastore answers, two of Turkish',
  { tags: 'deep' },
  async () => {
    const beginning = (name: string) => name.split('-')[0]
    const declined: Record<string, number> = {}
    for (const [group, asked] of Map.groupBy(questions, (one) => one.group)) {
      const of = new Set(asked.map(({ right }) => beginning(right)))
      const own = Object.entries(texts).filter(([name]) => of.has(beginning(name)))
      const documents = own.map(([name, text]) => ({ name, text }))
      const { agent } = await makeLearnedAgent(client, documents)
      for (const { query: question } of asked) {
        const body = { query: question, store: false }
        const { data } = await sdk.queryAgent({
          client,
          path: { id: agent },
          body,
          throwOnError: true,
        })
        if (!data.answered) declined[group] = (declined[group] ?? 0) + 1
      }
    }
    const { Turkish = 0, ...others } = declined
    expect(Math.max(Turkish - 1, ...Object.values(others)), JSON.stringify(declined)).toBe(1)
  },
)

test('by vector a query of stop words, digits or symbols alone is answered as fully as any', async () => {
  const topK = 7
  for (const asked of emptyQueries) {
    const found = await query(client, id, { query: asked, mode: 'vector', topK })
    expect(found, asked).toHaveLength(topK)
  }
})
