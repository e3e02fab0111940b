import { expect, onTestFinished, test, vi } from 'vitest'
import { AgentsDatastores, ConnectionError, ProblemError, Scope } from '../../client/src/index.ts'
import { contractFetch } from '../support/contract-fetch.ts'
import { operations } from '../support/contract.ts'
import { passOn, startScripted } from '../support/scripted.ts'
import { startServer, testKey } from '../support/server.ts'

const { url, logged } = await startServer()
const client = new AgentsDatastores({ baseUrl: `${url}/`, apiKey: testKey, fetch: contractFetch })

test('a method for each operation sends what it is given, and gives the data', async () => {
  const agent = await client.createAgent({ name: 'Librarian', description: 'Answers.' })
  expect(await client.getAgent(agent.id)).toEqual(agent)
  const agents: unknown[] = []
  for await (const one of client.listAgents()) agents.push(one)
  expect(agents).toEqual([agent])
  const { response } = await client.getAgent(agent.id).withResponse()
  const match = { headers: { 'If-Match': response.headers.get('etag') ?? '' } }
  const description = 'Answers more.'
  expect(await client.updateAgent(agent.id, { description }, match)).toMatchObject({ description })
  const late = client.updateAgent(agent.id, { description }, match)
  await expect(late).rejects.toMatchObject({ code: 'precondition_failed' })

  const { id } = await client.createDatastore({ name: 'library' })
  expect(await client.getDatastore(id)).toMatchObject({ name: 'library' })
  expect(await client.updateDatastore(id, { name: 'archive' })).toMatchObject({ name: 'archive' })
  expect((await client.listDatastores({ limit: 1 })).data).toHaveLength(1)
  const documents = ['nine', 'ten', 'eleven'].map((hour) => ({
    text: `The library opens at ${hour}.`,
  }))
  const { ids } = await client.upsertDocuments(id, { documents })
  const [first = '', second = '', third = ''] = ids
  await client.updateDatasource(id, { id: first, text: 'The library opens at noon.' })
  expect(await client.getDatasource(id, first)).toMatchObject({
    text: 'The library opens at noon.',
  })
  expect(await client.patchDatasource(id, first, { name: 'Hours' })).toMatchObject({
    name: 'Hours',
  })
  const listed: string[] = []
  for await (const one of client.listDatasources(id, { limit: 1 })) listed.push(one.id)
  expect(listed).toEqual([first, second, third])
  expect(await client.deleteDatasource(id, third)).toMatchObject({ id: third })
  expect(await client.queryDatastore(id, { query: 'noon', topK: 1 })).toMatchObject([
    { datasource_id: first },
  ])
  const key = 'hours/Main Street?#%.md'
  expect(await client.putDocument(id, key, documents[0]!)).toMatchObject({ key })
  expect(await client.getDocument(id, key)).toMatchObject(documents[0]!)
  expect(await client.deleteDocument(id, key)).toMatchObject({ key })
  const put = { documents: [{ key: 'lending', text: 'Books may be kept for four weeks.' }] }
  expect(await client.putDocuments(id, put)).toMatchObject({
    documents: [{ key: 'lending', outcome: 'created' }],
  })
  const file = new File(['The library closes at six.'], 'closing.md')
  const metadata = { lang: 'en' }
  expect(await client.uploadFile(id, { file, metadata })).toMatchObject({
    name: 'closing.md',
    metadata,
  })
  expect(await client.putFile(id, key, file, { metadata: '{"lang":"en"}' })).toMatchObject({
    key,
    name: key,
    metadata,
  })
  expect((await client.getDocument(id, key)).text).toBe('The library closes at six.')
  const filter = JSON.stringify({ type: 'eq', key: 'lang', value: 'de' })
  expect(await client.deleteDatasources(id, { filter })).toEqual({ deleted: 0 })

  await client.putKnowledge(agent.id, { datastoreIds: [id] })
  expect(await client.getKnowledge(agent.id)).toMatchObject({ datastoreIds: [id] })
  const { conversationId, answered } = await client.queryAgent(agent.id, {
    query: 'When does the library open?',
  })
  expect(answered).toBe(true)
  const conversations = await client.listConversations(agent.id)
  expect(conversations.data.map((one) => one.id)).toEqual([conversationId])
  expect(await client.getConversation(conversationId ?? '')).toMatchObject({ agentId: agent.id })
  await client.deleteConversation(conversationId ?? '')
  const visitorId = conversations.data[0]?.visitorId ?? ''
  expect(await client.deleteConversations(agent.id, { visitorId })).toEqual({ deleted: 0 })
  const types: string[] = []
  for await (const { type } of client.streamAgent(agent.id, { query: 'When?', store: false })) {
    types.push(type)
  }
  expect([types[0], types.at(-1)]).toEqual(['sources', 'done'])
  await client.deleteDatastore(id)
  await client.deleteAgent(agent.id)

  const made = await client.createKey({ name: 'reader', scopes: [Scope.AGENTS_READ] })
  expect(await client.getKey(made.id)).toMatchObject({ name: 'reader' })
  expect((await client.getCurrentKey()).scopes).toContain(Scope.KEYS_ADMIN)
  const keys = await client.listKeys()
  expect(keys.data.map((one) => one.id)).toContain(made.id)
  expect((await client.revokeKey(made.id)).revokedAt).not.toBeNull()
  expect([await client.getLiveness(), await client.getReadiness()]).toEqual([
    { status: 'ok' },
    { status: 'ok', store: 'file' },
  ])
  expect(await client.getMetrics()).toMatch(/^# HELP http_request_duration_seconds /)

  const succeeded = logged.flatMap(({ operationId, status }) =>
    Number(status) < 300 ? (operationId ?? []) : [],
  )
  const operationIds = operations.map(({ operationId }) => operationId)
  expect([...new Set(succeeded)].toSorted()).toEqual(operationIds.toSorted())
})

test('a Problem is an error with its code and everything that was wrong', async () => {
  const wrong = { name: 'x'.repeat(257), description: 'Answers.', temperature: 2 }
  const error = await client.createAgent(wrong).catch((thrown: unknown) => thrown)
  if (!(error instanceof ProblemError)) throw new Error('A ProblemError is expected.')
  expect(error).toMatchObject({ code: 'invalid_request', status: 400, title: 'Invalid request' })
  expect(error.requestId).toMatch(/^req_/)
  expect(error.message).toBe(error.detail)
  expect(error.errors.map(({ pointer }) => pointer)).toEqual(['/name', '/temperature'])
})

test('address and key come from the environment where they are not given', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('SERVICE_URL', url)
  vi.stubEnv('API_KEY', testKey)
  expect((await new AgentsDatastores().listKeys()).data).not.toEqual([])
  const stranger = new AgentsDatastores({ apiKey: 'unknown' })
  await expect(stranger.listKeys()).rejects.toMatchObject({ code: 'unauthenticated' })
})

/** A client on the other side of a proxy that loses the first answer. */
async function farClient() {
  const { url: lossy, received } = await startScripted(passOn(url, true), passOn(url, false))
  return { far: new AgentsDatastores({ baseUrl: lossy, apiKey: testKey }), received }
}

test('an upsert whose answer was lost is stored once', async () => {
  const { id } = await client.createDatastore({ name: 'library' })
  const { far, received } = await farClient()
  const { ids } = await far.upsertDocuments(id, { documents: [{ text: 'It opens at nine.' }] })
  const stored: string[] = []
  for await (const one of client.listDatasources(id)) stored.push(one.id)
  expect([received.length, stored]).toEqual([2, ids])
})

test('a creation whose answer was lost is not repeated, and says so', async () => {
  const { far, received } = await farClient()
  const lost = far.createDatastore({ name: 'created once' })
  await expect(lost).rejects.toThrow(ConnectionError)
  const names: string[] = []
  for await (const { name } of client.listDatastores()) names.push(name)
  expect([received.length, names.filter((name) => name === 'created once')]).toEqual([
    1,
    ['created once'],
  ])
})
