import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { operations } from '../support/contract.ts'
import { checkedClient, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import * as make from '../support/things.ts'
import { installStores } from './stores/process.ts'
import { startAzurite } from './stores/start.ts'

/** What each operation writes on one server, another one reads at once by what reads it. */

beforeAll(installStores, 600_000)

/** An agent that knows a datastore with one document, which the reader has read, and one of its conversations. */
type World = {
  here: Client
  there: Client
  thereUrl: string
  agent: string
  datastore: string
  datasource: string
  conversation: string
}

const before = 'The library opens at nine in the morning.'
const after = 'The library opens at ten in the morning.'
const question = 'When does the library open?'
const documentKey = 'opening-hours'
const visitorId = 'visitor-1138'

const ok = { throwOnError: true } as const

/** Whether a document with this text is read, by each operation that reads documents. */
const readings: Record<string, (world: World, id: string, text: string) => Promise<boolean>> = {
  getDatasource: async ({ there: client, datastore }, datasourceId, text) =>
    (await sdk.getDatasource({ client, path: { id: datastore, datasourceId } })).data?.text ===
    text,
  listDatasources: async ({ there: client, datastore }, id) => {
    const { data } = await sdk.listDatasources({ client, path: { id: datastore }, ...ok })
    return data.data.some((one) => one.id === id)
  },
  queryDatastore: async ({ there, datastore }, id, text) => {
    const found = await make.query(there, datastore, { query: question })
    return found.some((one) => one.datasource_id === id && one.text === text)
  },
  queryAgent: async ({ there: client, agent }, _, text) => {
    const body = { query: question }
    const { data } = await sdk.queryAgent({ client, path: { id: agent }, body, ...ok })
    return JSON.stringify(data).includes(text)
  },
  streamed: async ({ thereUrl, agent }, _, text) => {
    const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ query: question, streaming: true })
    const options = { method: 'POST', headers, body }
    return (await (await fetch(`${thereUrl}/agents/${agent}/query`, options)).text()).includes(text)
  },
}

async function readBy(world: World, id: string, text: string): Promise<string[]> {
  const reads = Object.entries(readings).map(async ([name, isRead]) =>
    (await isRead(world, id, text)) ? name : [],
  )
  return (await Promise.all(reads)).flat()
}

const isRead = async (world: World, id: string, text: string) =>
  expect(await readBy(world, id, text)).toEqual(Object.keys(readings))

const isGone = async (world: World) =>
  expect(await readBy(world, world.datasource, before)).toEqual([])

const getDocument = ({ there: client, datastore }: World) =>
  sdk.getDocument({ client, path: { id: datastore, key: documentKey } })

const getConversation = ({ there: client, conversation }: World) =>
  sdk.getConversation({ client, path: { id: conversation } })

const cases: Record<string, (world: World) => Promise<void>> = {
  createAgent: async ({ here, there: client }) => {
    const made = await make.makeAgent(here)
    expect((await sdk.getAgent({ client, path: { id: made.id } })).data).toEqual(made)
    const { data } = await sdk.listAgents({ client, query: { limit: 100 }, ...ok })
    expect(data.data).toContainEqual(made)
  },
  updateAgent: async ({ here, there: client, thereUrl, agent: id }) => {
    const { key } = await make.makeKey(here, { scopes: ['agents:query'] })
    const body = { description: 'Another.', visibility: 'public' } as const
    const { data } = await sdk.updateAgent({ client: here, path: { id }, body, ...ok })
    const asked = { client: checkedClient(thereUrl, key), path: { id }, body: { query: question } }
    expect((await sdk.queryAgent(asked)).response?.status).toBe(200)
    expect((await sdk.getAgent({ client, path: { id } })).data).toEqual(data)
  },
  deleteAgent: async ({ here, there: client, agent: id }) => {
    await sdk.deleteAgent({ client: here, path: { id }, ...ok })
    expect((await sdk.getAgent({ client, path: { id } })).response?.status).toBe(404)
  },
  putKnowledge: async ({ here, there: client, agent: id }) => {
    const body = { datastoreIds: [], noAnswer: 'I cannot say.' }
    const { data } = await sdk.putKnowledge({ client: here, path: { id }, body, ...ok })
    const asked = { client, path: { id }, body: { query: question } }
    expect((await sdk.queryAgent(asked)).data?.answer).toBe('I cannot say.')
    expect((await sdk.getKnowledge({ client, path: { id } })).data).toEqual(data)
  },
  queryAgent: async (world) => {
    const { here, there: client, agent: id, conversation: conversationId } = world
    const body = { query: question, conversationId, visitorId }
    await sdk.queryAgent({ client: here, path: { id }, body, ...ok })
    expect((await getConversation(world)).data?.messages).toHaveLength(4)
    const { data } = await sdk.listConversations({
      client,
      path: { id },
      query: { visitorId },
      ...ok,
    })
    expect(data.data).toMatchObject([{ id: conversationId, messageCount: 4 }])
  },
  deleteConversation: async (world) => {
    await sdk.deleteConversation({ client: world.here, path: { id: world.conversation }, ...ok })
    expect((await getConversation(world)).response?.status).toBe(404)
  },
  deleteConversations: async (world) => {
    const { here: client, agent: id } = world
    await sdk.deleteConversations({ client, path: { id }, query: { visitorId }, ...ok })
    expect((await getConversation(world)).response?.status).toBe(404)
  },
  createDatastore: async ({ here, there: client }) => {
    const id = await make.makeDatastore(here)
    expect((await sdk.getDatastore({ client, path: { id } })).data?.id).toBe(id)
    const { data } = await sdk.listDatastores({ client, query: { limit: 100 }, ...ok })
    expect(data.data.map((one) => one.id)).toContain(id)
  },
  updateDatastore: async ({ here, there: client, datastore: id }) => {
    await sdk.updateDatastore({ client: here, path: { id }, body: { name: 'renamed' }, ...ok })
    const name = async () => (await sdk.getDatastore({ client, path: { id } })).data?.name
    await expect.poll(name, remembered).toBe('renamed')
  },
  deleteDatastore: async ({ here, there: client, datastore: id }) => {
    await sdk.deleteDatastore({ client: here, path: { id }, ...ok })
    expect((await sdk.getDatastore({ client, path: { id } })).response?.status).toBe(404)
  },
  upsertDocuments: async (world) => {
    const [id = ''] = await make.upsert(world.here, world.datastore, after)
    await isRead(world, id, after)
  },
  updateDatasource: async (world) => {
    const { here: client, datastore: datastoreId, datasource: id } = world
    const body = { id, text: after }
    await sdk.updateDatasource({ client, path: { datastoreId }, body, ...ok })
    await isRead(world, id, after)
  },
  patchDatasource: async (world) => {
    const { here, there: client, datastore, datasource: datasourceId } = world
    const path = { id: datastore, datasourceId }
    await sdk.patchDatasource({ client: here, path, body: { name: 'Hours' }, ...ok })
    expect((await sdk.getDatasource({ client, path })).data?.name).toBe('Hours')
    const [best] = await make.query(client, datastore, { query: question })
    expect(best?.datasource_name).toBe('Hours')
  },
  deleteDatasource: async (world) => {
    const { here: client, datastore: id, datasource: datasourceId } = world
    await sdk.deleteDatasource({ client, path: { id, datasourceId }, ...ok })
    await isGone(world)
  },
  deleteDatasources: async (world) => {
    const { here: client, datastore: id } = world
    const filter = JSON.stringify({ type: 'eq', key: 'of', value: 'hours' })
    await sdk.deleteDatasources({ client, path: { id }, query: { filter }, ...ok })
    await isGone(world)
  },
  putDocument: async (world) => {
    const put = await make.putDocument(world.here, world.datastore, documentKey, { text: after })
    await isRead(world, put.id, after)
    expect((await getDocument(world)).data?.text).toBe(after)
  },
  putDocuments: async (world) => {
    const { here: client, datastore: id } = world
    const body = { documents: [{ key: documentKey, text: after }] }
    await sdk.putDocuments({ client, path: { id }, body, ...ok })
    const { data } = await getDocument(world)
    await isRead(world, data?.id ?? '', after)
  },
  deleteDocument: async (world) => {
    const { here: client, datastore: id } = world
    await make.putDocument(client, id, documentKey, { text: after })
    expect((await getDocument(world)).data?.text).toBe(after)
    await sdk.deleteDocument({ client, path: { id, key: documentKey }, ...ok })
    expect((await getDocument(world)).response?.status).toBe(404)
  },
  uploadFile: async (world) => {
    const { here: client, datastore: id } = world
    const file = new File([after], 'hours.txt')
    const { data } = await sdk.uploadFile({ client, path: { id }, body: { file }, ...ok })
    await isRead(world, data.id, after)
  },
  putFile: async (world) => {
    const { here: client, datastore: id } = world
    const body = new Blob([after])
    const { data } = await sdk.putFile({ client, path: { id, key: documentKey }, body, ...ok })
    await isRead(world, data.id, after)
    expect((await getDocument(world)).data?.text).toBe(after)
  },
  createKey: async ({ here, there: client, thereUrl }) => {
    const { id, key } = await make.makeKey(here)
    expect((await sdk.getKey({ client, path: { id } })).data?.id).toBe(id)
    const { response } = await sdk.listDatastores({ client: checkedClient(thereUrl, key) })
    expect(response?.status).toBe(200)
  },
  revokeKey: async ({ here, there: client, thereUrl }) => {
    const { id, key } = await make.makeKey(here)
    const other = checkedClient(thereUrl, key)
    const status = async () => (await sdk.listDatastores({ client: other })).response?.status
    expect(await status()).toBe(200)
    await sdk.revokeKey({ client: here, path: { id }, ...ok })
    expect((await sdk.getKey({ client, path: { id } })).data?.revokedAt).not.toBeNull()
    await expect.poll(status, remembered).toBe(401)
  },
}

/** Keys and datastores are remembered for five seconds. */
const remembered = { timeout: 8_000 }

const writes = operations.filter(({ method, security }) => {
  const scopes = security.flatMap((one) => Object.values(one)).flat()
  return method !== 'GET' && scopes.some((scope) => !scope.endsWith(':read'))
})

async function makeWorld(here: Client, there: Client, thereUrl: string): Promise<World> {
  const document = { text: before, metadata: { of: 'hours' } }
  const { agent, datastore, datasources } = await make.makeLearnedAgent(here, [document])
  const conversation = await make.makeConversation(here, agent)
  const [datasource = ''] = datasources
  const world = { here, there, thereUrl, agent, datastore, datasource, conversation }
  await isRead(world, datasource, before)
  return world
}

test(
  'what each operation writes on one server, another one reads at once',
  { tags: 'deep', timeout: 600_000 },
  async () => {
    expect(Object.keys(cases).toSorted()).toEqual(
      writes.map(({ operationId }) => operationId).toSorted(),
    )
    const { settings } = await startAzurite()
    const start = async () => {
      const server = await spawnServer({ INITIAL_KEY: testKey, LOG_LEVEL: 'warn', ...settings })
      onTestFinished(() => server.kill('SIGKILL'))
      return server.url
    }
    const [hereUrl, thereUrl] = [await start(), await start()]
    const [here, there] = [checkedClient(hereUrl), checkedClient(thereUrl)]
    const failed: Record<string, string> = {}
    for (const [name, isSeen] of Object.entries(cases)) {
      const world = await makeWorld(here, there, thereUrl)
      await isSeen(world).catch((error: Error) => (failed[name] = error.message))
    }
    expect(failed).toEqual({})
  },
)
