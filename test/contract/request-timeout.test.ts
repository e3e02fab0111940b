import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { callTool } from '../support/mcp.ts'
import { Provider, recorded, sendJson } from '../support/provider.ts'
import { startServer } from '../support/server.ts'
import { makeDatastore, upsert } from '../support/things.ts'

const seconds = 30
const provider = await Provider.start()
const { client } = await startServer({ requestTimeout: seconds })
const remote = await startServer({ requestTimeout: seconds, provider: provider.settings })

const holdClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
const timePasses = () => vi.advanceTimersByTime(seconds * 1000)
afterEach(() => void vi.useRealTimers())

test('an upsert whose provider is late is 504, others are answered meanwhile, and nothing is stored', async () => {
  const datastoreId = await makeDatastore(remote.client)
  const asked = Promise.withResolvers<() => void>()
  provider.behaviour = (call, response) =>
    asked.resolve(() => sendJson(response, 200, recorded(call)))
  holdClock()
  const body = { documents: [{ text: 'A text.' }] }
  const upserting = sdk.upsertDocuments({ client: remote.client, path: { datastoreId }, body })
  const answerLate = await asked.promise
  await sdk.getLiveness({ client: remote.client, throwOnError: true })
  timePasses()
  const { response, error } = await upserting
  vi.useRealTimers()
  expect([response?.status, error?.code]).toEqual([504, 'request_timeout'])
  expect(error?.detail).toContain(`within ${seconds} seconds; nothing was stored`)

  answerLate()
  provider.behaviour = undefined
  await upsert(remote.client, datastoreId, 'A short text.')
  const path = { id: datastoreId }
  const { data } = await sdk.getDatastore({ client: remote.client, path, throwOnError: true })
  expect([data.datasourceCount, data.fragmentCount]).toEqual([1, 1])
})

test('a search by MCP whose provider is late is 504, as any other', async () => {
  await upsert(remote.client, await makeDatastore(remote.client), 'A text.')
  const asked = Promise.withResolvers<void>()
  provider.behaviour = () => asked.resolve()
  holdClock()
  const searching = callTool(remote.url, 'search', { query: 'Which text?' })
  await asked.promise
  timePasses()
  const response = await searching
  vi.useRealTimers()
  provider.behaviour = undefined
  expect([response.status, await response.json()]).toMatchObject([504, { code: 'request_timeout' }])
})

test('an update that takes longer is 504, and the old text stays', { tags: 'deep' }, async () => {
  const datastoreId = await makeDatastore(client)
  const [late = '', inTime = ''] = await upsert(client, datastoreId, 'Old text.', 'Old text.')
  // Words that are all different are slow to embed.
  const text = Array.from({ length: 20_000 }, (_, n) => `w${(100_000 + n).toString(36)}`).join(' ')
  const update = async (id: string) =>
    (await sdk.updateDatasource({ client, path: { datastoreId }, body: { id, text } })).response
  holdClock()
  let isOver = false
  const updating = update(late).finally(() => (isOver = true))
  // The time is over as soon as it has begun.
  for (; !isOver; timePasses()) await setImmediate()
  expect((await updating)?.status).toBe(504)
  vi.useRealTimers()

  // Had the work gone on, it would be done before the same work that was begun after it.
  expect((await update(inTime))?.status).toBe(200)
  const path = { id: datastoreId, datasourceId: late }
  const { data } = await sdk.getDatasource({ client, path, throwOnError: true })
  expect(data.text).toBe('Old text.')
})
