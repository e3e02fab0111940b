/**
 * `npm run bench:relevance -- DIR`: stores a collection in the layout of Cranfield or BEIR through the generated
 * client, asks all its queries, and prints nDCG@10.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { spawnServer } from '../support/server-process.ts'
import { ndcg } from './ndcg.ts'
import { readCollection } from './read-collection.ts'

const key = 'the-key-of-the-relevance-benchmark'
const documentsAnUpsert = 100

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: npm run bench:relevance -- DIR')
const { documents, queries, judgements } = await readCollection(folder)

const data = await mkdtemp(join(tmpdir(), 'relevance-'))
const server = await spawnServer({ DATA_URI: data, INITIAL_KEY: key })
try {
  const client = createClient({ baseUrl: server.url, auth: () => key, throwOnError: true })
  const { data: datastore } = await sdk.createDatastore({
    client,
    body: { name: folder },
    throwOnError: true,
  })

  const numbers = new Map<string, string>()
  const storing = performance.now()
  for (let start = 0; start < documents.length; start += documentsAnUpsert) {
    const some = documents.slice(start, start + documentsAnUpsert)
    const { data: stored } = await sdk.upsertDocuments({
      client,
      path: { datastoreId: datastore.id },
      body: { documents: some.map(({ text }) => ({ text })) },
      throwOnError: true,
    })
    stored.ids.forEach((id, index) => numbers.set(id, some[index]!.number))
  }
  const storingSeconds = (performance.now() - storing) / 1000

  const asking = performance.now()
  const figures: number[] = []
  for (const { number, text } of queries) {
    const { data: found } = await sdk.queryDatastore({
      client,
      path: { id: datastore.id },
      body: { query: text, topK: 100 },
      throwOnError: true,
    })
    const ranked = [...new Set(found.map(({ datasource_id }) => numbers.get(datasource_id)!))]
    figures.push(ndcg(ranked, judgements.get(number) ?? new Map(), 10))
  }
  const milliseconds = (performance.now() - asking) / queries.length

  const mean = figures.reduce((sum, figure) => sum + figure, 0) / figures.length
  console.log(`${documents.length} documents stored in ${storingSeconds.toFixed(1)} s`)
  console.log(`${queries.length} queries, ${milliseconds.toFixed(1)} ms each`)
  console.log(`nDCG@10 ${mean.toFixed(4)}`)
} finally {
  await server.kill('SIGTERM')
  await rm(data, { recursive: true, force: true })
}
