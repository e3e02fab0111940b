import { type Client, createClient } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import type { QueryMode } from '../../generated/types.gen.ts'
import type { Text } from './collection.ts'
import type { Retrieval } from './retrieval.ts'

/** What one upsert takes: the contract allows 100 documents, and 16 MiB of JSON. */
const documentsAnUpsert = 100
const charactersAnUpsert = 2_000_000

const modes: QueryMode[] = ['keyword', 'vector', 'hybrid']

export type Stored = Awaited<ReturnType<typeof storeInService>>

/** Stores the documents in a datastore of their own; a retrieval for each mode of its query. */
export async function storeInService(url: string, key: string, documents: Text[]) {
  const client = createClient({ baseUrl: url, auth: () => key, throwOnError: true })
  const body = { name: 'collection' }
  const { data: datastore } = await sdk.createDatastore({ client, body, throwOnError: true })
  const path = { id: datastore.id }
  const began = performance.now()
  const numbers = await store(client, datastore.id, documents)
  const seconds = (performance.now() - began) / 1000
  const { data: stored } = await sdk.getDatastore({ client, path, throwOnError: true })

  const retrievals = modes.map((mode): Retrieval => ({
    name: mode,
    // A document may be several of the fragments found, so fewer documents than `topK` may come.
    async ask(query, topK) {
      const question = { query, topK, mode }
      const { data: found } = await sdk.queryDatastore({
        client,
        path,
        body: question,
        throwOnError: true,
      })
      return [...new Set(found.map(({ datasource_id: id }) => numbers.get(id)!))]
    },
  }))
  const drop = () => sdk.deleteDatastore({ client, path, throwOnError: true })
  return { datastoreId: datastore.id, retrievals, seconds, fragments: stored.fragmentCount, drop }
}

/** The documents' numbers by the ids they are stored under. */
async function store(client: Client, datastoreId: string, documents: Text[]) {
  const numbers = new Map<string, string>()
  for (const some of upserts(documents)) {
    const { data: stored } = await sdk.upsertDocuments({
      client,
      path: { datastoreId },
      body: { documents: some.map(({ text }) => ({ text })) },
      throwOnError: true,
    })
    stored.ids.forEach((id, index) => numbers.set(id, some[index]!.number))
  }
  return numbers
}

function* upserts(documents: Text[]): Generator<Text[]> {
  let some: Text[] = []
  let characters = 0
  for (const document of documents) {
    const isTooMuch = characters + document.text.length > charactersAnUpsert
    if (some.length === documentsAnUpsert || (isTooMuch && some.length > 0)) {
      yield some
      some = []
      characters = 0
    }
    some.push(document)
    characters += document.text.length
  }
  if (some.length > 0) yield some
}
