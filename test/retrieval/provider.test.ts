import { connect } from '@lancedb/lancedb'
import { beforeEach, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { Provider, recorded, sendJson } from '../support/provider.ts'
import { startServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const provider = await Provider.start()
const { client } = await startServer({ provider: provider.settings })

beforeEach(() => {
  provider.calls.length = 0
  provider.behaviour = undefined
})

const areVectorsIndexed = (dataUri: string, id: string) =>
  expect
    .poll(
      async () => {
        const connection = await connect(dataUri)
        const table = await connection.openTable(`fragments_${id}`)
        const stats = await table.indexStats('vector_idx')
        connection.close()
        return stats?.numUnindexedRows
      },
      { timeout: 60_000, interval: 100 },
    )
    .toBe(0)

/** A vector whose cosine with the query's is what its text says in percent. */
const towards = (text: string): number[] => {
  const cosine = Number(/(?<=cosine )-?\d+/.exec(text)?.[0] ?? 100) / 100
  return [cosine, Math.sqrt(1 - cosine ** 2), 0, 0, 0]
}

test('a text that only the vector finds comes back beside one that only the words find', async () => {
  provider.behaviour = (call, response) =>
    sendJson(response, 200, recorded(call, call.body.input.map(towards)))
  const id = await makeDatastore(client)
  const [meant, named] = ['Pollinators; cosine 100.', 'A rare xylograph; cosine 20.']
  const sharers = Array.from({ length: 150 }, (_, n) => `Of a museum: cosine 0, room ${n}.`)
  const near = Array.from({ length: 150 }, (_, n) => `Elsewhere: cosine 50, house ${n}.`)
  await upsert(client, id, meant, named, ...sharers, ...near)
  const find = async (mode: 'hybrid' | 'vector' | 'keyword') => {
    const body = { query: 'xylograph of a museum', topK: 2, mode }
    return (await query(client, id, body)).map(({ text }) => text)
  }
  expect((await find('hybrid')).toSorted()).toEqual([named, meant])
  const byVector = await query(client, id, { query: 'xylograph', topK: 100, mode: 'vector' })
  expect(byVector.map(({ text }) => text)).not.toContain(named)
  const byWords = await query(client, id, { query: 'museum', topK: 100, mode: 'keyword' })
  expect(byWords.map(({ text }) => text)).not.toContain(meant)
})

test(
  'what was just written is found, by vector also where it points away from the query',
  { tags: 'deep' },
  async () => {
    provider.behaviour = (call, response) => {
      const vectors = call.body.input.map((text) => [...towards(text), 0, 0, 0])
      sendJson(response, 200, recorded(call, vectors))
    }
    const dataUri = await temporaryDirectory()
    const server = await startServer({ dataUri, provider: provider.settings })
    const id = await makeDatastore(server.client)
    for (let part = 0; part < 5; part++) {
      const others = Array.from(
        { length: 420 },
        (_, n) => `Elsewhere: cosine 50, house ${part}-${n}.`,
      )
      await upsert(server.client, id, ...others)
    }
    await areVectorsIndexed(dataUri, id)
    const metadata = { custom_id: 'new' }
    const fresh = [-10, -20, 90].map((cosine) => ({ text: `New: cosine ${cosine}.`, metadata }))
    await upsert(server.client, id, ...fresh)
    for (const mode of ['vector', 'hybrid'] as const) {
      const filters = { custom_ids: ['new'] }
      const found = await query(server.client, id, { query: 'honey', mode, filters })
      // What has score 0 is left out in hybrid mode.
      const expected = mode === 'vector' ? [2, 0, 1] : [2]
      expect(found.map(({ text }) => text)).toEqual(expected.map((n) => fresh[n]!.text))
    }
  },
)

test('filters hold for what the words find and for what the vector finds', async () => {
  const id = await makeDatastore(client)
  const documents = Array.from({ length: 100 }, (_, n) => ({
    text: n % 2 ? `The bees make honey, ${n}.` : `Foxes sleep, ${n}.`,
    metadata: { custom_id: n % 10 < 2 ? 'few' : 'many' },
  }))
  await upsert(client, id, ...documents)
  for (const mode of ['hybrid', 'vector'] as const) {
    const filters = { custom_ids: ['few'] }
    const found = await query(client, id, { query: 'bees', topK: 100, mode, filters })
    const few = documents.filter(({ metadata }) => metadata.custom_id === 'few')
    expect(new Set(found.map(({ text }) => text))).toEqual(new Set(few.map(({ text }) => text)))
    expect(found).toHaveLength(few.length)
  }
})

test(
  'a query by keyword asks for no vector, so that a provider may be down',
  { tags: 'deep' },
  async () => {
    const id = await makeDatastore(client)
    await upsert(client, id, 'The bees make honey.', 'Foxes sleep.')
    provider.calls.length = 0
    provider.behaviour = (_call, response) => response.destroy()
    const [best, ...others] = await query(client, id, { query: 'bee', mode: 'keyword' })
    expect([best?.text, others]).toEqual(['The bees make honey.', []])
    expect(await query(client, id, { query: 'xylograph', mode: 'keyword' })).toEqual([])
    expect(provider.calls).toEqual([])
    for (const mode of ['hybrid', 'vector'] as const) {
      const body = { query: 'bee', mode }
      const { response, error } = await sdk.queryDatastore({ client, path: { id }, body })
      expect([response?.status, error?.code]).toEqual([502, 'embedding_failed'])
    }
  },
)

test('a datastore of another embedder answers by keyword too', { tags: 'deep' }, async () => {
  const dataUri = await temporaryDirectory()
  const builtIn = await startServer({ dataUri })
  const id = await makeDatastore(builtIn.client)
  await upsert(builtIn.client, id, 'The bees make honey.')
  await builtIn.close()

  const { client: other } = await startServer({ dataUri, provider: provider.settings })
  expect(await query(other, id, { query: 'bee', mode: 'keyword' })).toHaveLength(1)
  for (const mode of ['hybrid', 'vector'] as const) {
    const body = { query: 'bee', mode }
    const { response } = await sdk.queryDatastore({ client: other, path: { id }, body })
    expect(response?.status).toBe(409)
  }
})
