import createClient from 'openapi-fetch'
import type { paths } from './openapi-typescript.ts'

/** Every operation by openapi-fetch, with the types that openapi-typescript makes. */
const client = createClient<paths>({
  baseUrl: process.env.SERVICE_URL!,
  headers: { Authorization: `Bearer ${process.env.API_KEY}` },
})

type Answer<T> = { data?: T; error?: { code: string; detail: string } }

const must = <T>({ data, error }: Answer<T>): T => {
  if (data === undefined) throw new Error(error?.detail)
  return data
}

const agent = must(
  await client.POST('/agents', { body: { name: 'Librarian', description: 'Answers.' } }),
)
const agentId = { params: { path: { id: agent.id } } }
must(await client.GET('/agents')).data.map(({ temperature }) => temperature.toFixed(1))
must(await client.GET('/agents/{id}', agentId)).promptType satisfies 'raw' | 'customer_support'
must(await client.PATCH('/agents/{id}', { ...agentId, body: { description: 'Answers more.' } }))
must(await client.GET('/agents/{id}/knowledge', agentId)).topK.toFixed()
const knowledge = { datastoreIds: [] }
must(await client.PUT('/agents/{id}/knowledge', { ...agentId, body: knowledge })).noAnswer.at(0)
const answer = must(
  await client.POST('/agents/{id}/query', { ...agentId, body: { query: 'When?' } }),
)
if (!('citations' in answer)) throw new Error('An answer is expected.')
answer.citations.map(({ support }) => support.toFixed(2))
const conversation = { params: { path: { id: answer.conversationId! } } }
must(await client.GET('/agents/{id}/conversations', agentId)).data.map(({ visitorId }) =>
  visitorId.at(0),
)
must(await client.GET('/conversations/{id}', conversation)).messages[0]?.content.at(0)
must(await client.DELETE('/conversations/{id}', conversation)).messageCount.toFixed()
const ofVisitor = { params: { ...agentId.params, query: { visitorId: 'x' } } }
must(await client.DELETE('/agents/{id}/conversations', ofVisitor)).deleted.toFixed()
must(await client.DELETE('/agents/{id}', agentId)).visibility satisfies 'public' | 'private'

const { id } = must(await client.POST('/datastores', { body: { name: 'library' } }))
const params = { path: { id } }
must(await client.GET('/datastores', { params: { query: { limit: 1 } } })).nextCursor?.at(0)
must(await client.GET('/datastores/{id}', { params })).dimensions.toFixed()
must(await client.PATCH('/datastores/{id}', { params, body: { name: 'archive' } })).name.at(0)
const { ids } = must(
  await client.POST('/api/datastores/upsert/{datastoreId}', {
    params: { path: { datastoreId: id } },
    body: { documents: [{ text: 'The library opens at nine.' }] },
  }),
)
const datasource = { params: { path: { id, datasourceId: ids[0]! } } }
must(
  await client.POST('/api/datastores/update/{datastoreId}', {
    params: { path: { datastoreId: id } },
    body: { id: ids[0]!, text: 'The library opens at ten.', metadata: null },
  }),
).id.at(0)
must(await client.POST('/datastores/{id}/query', { params, body: { query: 'library' } })).map(
  (fragment) => fragment.score.toFixed(2) + fragment.datasource_id,
)
must(await client.GET('/datastores/{id}/datasources', { params })).data.map(({ name }) =>
  name.at(0),
)
must(await client.GET('/datastores/{id}/datasources/{datasourceId}', datasource)).text.at(0)
must(
  await client.PATCH('/datastores/{id}/datasources/{datasourceId}', {
    ...datasource,
    body: { name: 'Opening hours' },
  }),
).name.at(0)
must(await client.DELETE('/datastores/{id}/datasources/{datasourceId}', datasource)).text.at(0)
const document = { params: { path: { id, key: 'opening-hours' } } }
const text = 'The library opens at nine.'
must(await client.PUT('/datastores/{id}/documents/{key}', { ...document, body: { text } })).key?.at(
  0,
)
const documents = [{ key: 'opening-hours', text }]
must(await client.PUT('/datastores/{id}/documents', { params, body: { documents } })).documents[0]!
  .outcome satisfies 'created' | 'replaced'
must(await client.GET('/datastores/{id}/documents/{key}', document)).text.at(0)
must(await client.DELETE('/datastores/{id}/documents/{key}', document)).text.at(0)
const form = new FormData()
form.append('file', new File([text], 'hours.md'))
form.append('key', 'hours.md')
must(
  await client.POST('/datastores/{id}/files', {
    params,
    body: { file: text, key: 'hours.md' },
    bodySerializer: () => form,
  }),
).fragmentCount.toFixed()
must(
  await client.PUT('/datastores/{id}/files/{key}', {
    params: { path: { id, key: 'hours.txt' } },
    body: text,
    bodySerializer: (file) => file,
    headers: { 'Content-Type': 'application/octet-stream' },
  }),
).fragmentCount.toFixed()
for (const key of ['hours.md', 'hours.txt']) {
  const { text: stored } = must(
    await client.GET('/datastores/{id}/documents/{key}', { params: { path: { id, key } } }),
  )
  if (stored !== text) throw new Error(`${key} was stored as ${stored}`)
}
const filter = JSON.stringify({ type: 'eq', key: 'lang', value: 'de' })
must(
  await client.DELETE('/datastores/{id}/datasources', {
    params: { path: { id }, query: { filter } },
  }),
).deleted.toFixed()
must(await client.DELETE('/datastores/{id}', { params })).fragmentCount.toFixed()

const made = must(await client.POST('/keys', { body: { name: 'x', scopes: ['agents:read'] } }))
made.key.at(0)
const keyId = { params: { path: { id: made.id } } }
must(await client.GET('/keys')).data.map(({ scopes }) => scopes.at(0))
must(await client.GET('/key')).scopes.at(0)
must(await client.GET('/keys/{id}', keyId)).lastUsedAt satisfies string | null
must(await client.DELETE('/keys/{id}', keyId)).revokedAt?.at(0)

must(await client.GET('/health/live')).status satisfies 'ok'
must(await client.GET('/health/ready')).status satisfies 'ok'
must(await client.GET('/metrics', { parseAs: 'text' })).at(0)

const { error } = await client.GET('/agents/{id}', agentId)
if (error?.code !== 'not_found') throw new Error('A Problem is expected.')
