import { beforeAll, expect, test } from 'vitest'
import { startServer } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'
import { emptyQueries, questions, texts } from './collection.ts'

/** What good retrieval of words, their forms and their spelling may leave to a model. */
const mostMisses = 2

const { client } = await startServer()

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

test('a query of stop words, digits or symbols alone is answered as fully as any', async () => {
  const topK = 7
  for (const asked of emptyQueries) {
    expect(await query(client, id, { query: asked, topK }), asked).toHaveLength(topK)
  }
})
