import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import type { Random } from '../support/random.ts'

/** What all requests are about, whose size stays the same. */
export type Things = { client: Client; url: string; key: string; agent: string; datastore: string }

const [keys, visitors] = [80, 8]

const throwOnError = true

/** Sentences of words that many documents share. */
function textOf(random: Random): string {
  const words = Array.from({ length: 60 }, () => `word${random.below(900)}`)
  return `${words.slice(0, 30).join(' ')}. ${words.slice(30).join(' ')}.`
}

const keyOf = (random: Random): string => `document-${random.below(keys)}`

async function put({ client, datastore }: Things, random: Random): Promise<void> {
  const body = { text: textOf(random), metadata: { shelf: random.below(5) } }
  const path = { id: datastore, key: keyOf(random) }
  await sdk.putDocument({ client, path, body, throwOnError })
}

/** A document without a key comes, is updated, patched, and goes. */
async function shortLife({ client, datastore }: Things, random: Random): Promise<void> {
  const path = { datastoreId: datastore }
  const { data } = await sdk.upsertDocuments({
    client,
    path,
    body: { documents: [{ text: textOf(random) }] },
    throwOnError,
  })
  const id = data.ids[0]!
  await sdk.updateDatasource({ client, path, body: { id, text: textOf(random) }, throwOnError })
  const one = { id: datastore, datasourceId: id }
  await sdk.patchDatasource({ client, path: one, body: { name: 'Patched' }, throwOnError })
  await sdk.deleteDatasource({ client, path: one, throwOnError })
}

async function search({ client, datastore }: Things, random: Random): Promise<void> {
  const mode = random.pick(['hybrid', 'vector', 'keyword'] as const)
  const metadata = { type: 'eq', key: 'shelf', value: random.below(5) } as const
  const body = {
    query: textOf(random).slice(0, 100),
    mode,
    ...(random.chance(0.5) && { filters: { metadata } }),
  }
  await sdk.queryDatastore({ client, path: { id: datastore }, body, throwOnError })
}

const visitorOf = (random: Random): string => `visitor-${random.below(visitors)}`

async function ask({ client, agent }: Things, random: Random): Promise<void> {
  const body = { query: textOf(random).slice(0, 100), visitorId: visitorOf(random) }
  await sdk.queryAgent({ client, path: { id: agent }, body, throwOnError })
}

async function askStreamed({ url, key, agent }: Things, random: Random): Promise<void> {
  const body = { query: textOf(random).slice(0, 100), visitorId: visitorOf(random) }
  await send(`${url}/agents/${agent}/query`, key, body, 'text/event-stream')
}

/** All conversations but the newest few go, so that as many stay. */
async function conversations({ client, agent }: Things): Promise<void> {
  const { data } = await sdk.listConversations({ client, path: { id: agent }, throwOnError })
  for (const { id: conversationId } of data.data.slice(10)) {
    const path = { id: agent, conversationId }
    await sdk.getConversation({ client, path })
    await sdk.deleteConversation({ client, path })
  }
}

async function upload({ client, datastore }: Things, random: Random): Promise<void> {
  const file = new File([`<p>${textOf(random)}</p>`], 'page.html', { type: 'text/html' })
  const path = { id: datastore }
  await sdk.uploadFile({ client, path, body: { file, key: keyOf(random) }, throwOnError })
}

async function list({ client, datastore }: Things): Promise<void> {
  await sdk.listDatasources({ client, path: { id: datastore }, throwOnError })
}

async function searchByAssistant({ url, key }: Things, random: Random): Promise<void> {
  const params = { name: 'search', arguments: { query: textOf(random).slice(0, 100) } }
  await send(`${url}/mcp`, key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
}

const either = 'application/json, text/event-stream'

async function send(address: string, key: string, body: object, accept = either): Promise<void> {
  const headers = {
    authorization: `Bearer ${key}`,
    accept,
    'content-type': 'application/json',
  }
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${text}`)
}

/** One is drawn at a time. Of those that many callers send there are several. */
export const requests: ((things: Things, random: Random) => Promise<void>)[] = [
  put,
  put,
  put,
  shortLife,
  search,
  search,
  search,
  ask,
  askStreamed,
  conversations,
  upload,
  list,
  searchByAssistant,
]
