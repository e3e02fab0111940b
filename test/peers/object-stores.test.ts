import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { connect } from '@lancedb/lancedb'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { root } from '../support/contract.ts'
import { checkedClient, temporaryDirectory, testKey } from '../support/server.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'
import { makeAgent, makeDatastore, makeKey, query, upsert } from '../support/things.ts'
import { Random } from '../support/random.ts'
import { openAzurite, storageOptionsOf } from './stores/azurite.ts'
import { installStores } from './stores/process.ts'
import { startAzurite, startS3rver } from './stores/start.ts'

/** Several servers on one object store, over the protocol that it speaks. */

const deep = { tags: 'deep', timeout: 600_000 }

beforeAll(installStores, 600_000)

async function startOn(settings: NodeJS.ProcessEnv): Promise<ServerProcess> {
  const server = await spawnServer({ INITIAL_KEY: testKey, LOG_LEVEL: 'warn', ...settings })
  onTestFinished(() => server.kill('SIGKILL'))
  return server
}

test(
  'a store without conditional writes is refused, because two servers would lose documents',
  deep,
  async () => {
    const { settings } = await startS3rver()
    await expect(spawnServer({ INITIAL_KEY: testKey, ...settings })).rejects.toThrow(
      'DATA_URI s3://bucket/store has no conditional writes (If-None-Match): it would lose documents if two servers wrote.',
    )
  },
)

test('ALLOW_UNSAFE_STORE=1 lets one server use it, and its log warns', deep, async () => {
  const { settings } = await startS3rver()
  const server = await startOn({ ...settings, ALLOW_UNSAFE_STORE: '1' })
  const client = checkedClient(server.url)
  const datastore = await makeDatastore(client)
  await upsert(client, datastore, 'The heron waits.')
  expect(await query(client, datastore, { query: 'heron' })).toHaveLength(1)
  await expect.poll(() => server.errors() + server.lines.join('\n')).toContain('conditional writes')
})

test.each([
  [
    'AZURE_STORAGE_ACCOUNT_KEY',
    Buffer.from('another key').toString('base64'),
    'its credentials are refused',
  ],
  ['AZURE_STORAGE_ACCOUNT_KEY', 'abc', 'AZURE_STORAGE_ACCOUNT_KEY is no base64'],
  ['AZURE_STORAGE_ALLOW_HTTP', 'false', 'which needs AZURE_STORAGE_ALLOW_HTTP=true'],
  ['DATA_URI', 'az://missing/store', 'its container or bucket does not exist: make it first'],
  ['AZURE_STORAGE_ENDPOINT', 'http://127.0.0.1:9/devstoreaccount1', 'it cannot be reached'],
])('a wrong %s stops the start with its reason', deep, async (name, value, reason) => {
  const { settings } = await startAzurite()
  const wrong = { INITIAL_KEY: testKey, ...settings, [name]: value }
  await expect(spawnServer(wrong)).rejects.toThrow(reason)
})

test.each([
  [403, 'access to it is refused'],
  [404, 'its endpoint has nothing there'],
])('a store that answers %i stops the start with its reason', deep, async (status, reason) => {
  const { settings } = await startAzurite()
  const refusing = createServer((_, response) => response.writeHead(status).end())
  await once(refusing.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void refusing.close())
  const endpoint = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/account`
  const wrong = { INITIAL_KEY: testKey, ...settings, AZURE_STORAGE_ENDPOINT: endpoint }
  await expect(spawnServer(wrong)).rejects.toThrow(reason)
})

test(
  'what one server writes another finds at once, and a revoked key ends on both',
  deep,
  async () => {
    const { settings } = await startAzurite()
    const servers = await Promise.all([startOn(settings), startOn(settings)])
    const [here, there] = servers.map(({ url }) => checkedClient(url))
    const datastore = await makeDatastore(here!)
    for (const word of ['heron', 'otter', 'badger']) {
      const [id] = await upsert(here!, datastore, `The ${word} waits.`)
      const [best] = await query(there!, datastore, { query: word })
      expect(best?.datasource_id).toBe(id)
    }
    const agent = await makeAgent(there!)
    const { data } = await sdk.getAgent({ client: here!, path: { id: agent.id } })
    expect(data).toEqual(agent)
    const key = await makeKey(here!)
    const other = checkedClient(servers[1].url, key.key)
    const status = async () => (await sdk.listDatastores({ client: other })).response?.status
    expect(await status()).toBe(200)
    await sdk.revokeKey({ client: here!, path: { id: key.id }, throwOnError: true })
    await expect.poll(status, { timeout: 10_000 }).toBe(401)
  },
)

test('what stores nothing is 503 while the object store is out of reach', deep, async () => {
  const store = await openAzurite(await temporaryDirectory())
  onTestFinished(store.end)
  const { url } = await startOn(store.settings)
  const client = checkedClient(url)
  const id = await makeDatastore(client)
  await upsert(client, id, 'The heron waits.')
  await store.end()
  for (const asked of [
    () => sdk.queryDatastore({ client, path: { id }, body: { query: 'heron' } }),
    () => sdk.listDatastores({ client }),
    // By now nobody knows whether the key is still valid.
    () => sdk.createAgent({ client, body: { name: 'Heron', description: 'Waits.' } }),
  ]) {
    const { response, error } = await asked()
    expect([response?.status, error?.code]).toEqual([503, 'unavailable'])
    expect(response?.headers.get('retry-after')).toBe('1')
  }
})

test('store check says nothing of what a kill leaves of a check at a start', deep, async () => {
  const { settings } = await startAzurite()
  const server = await startOn(settings)
  await server.kill('SIGTERM')
  const connection = await connect(settings.DATA_URI!, {
    storageOptions: storageOptionsOf(settings),
  })
  await connection.createTable('check_1', [{ n: 1 }])
  connection.close()
  const env = { ...process.env, ...settings, PORT: '1' }
  const words = ['src/cli/main.ts', 'store', 'check']
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root, env })
  expect(stdout).toContain('Everything is whole.')
  expect(stdout).not.toContain('check_1')
})

test(
  'three servers, one of which is killed and comes back, lose no write and double none',
  deep,
  async () => {
    const { settings } = await startAzurite()
    const writes = Number(process.env.SERVERS_WRITES ?? 60)
    const servers = await Promise.all([startOn(settings), startOn(settings), startOn(settings)])
    const datastore = await makeDatastore(checkedClient(servers[0].url))
    const random = new Random(1)
    const stored = new Map<string, string>()
    const unsure = new Set<string>()
    const put = async (server: ServerProcess, key: string, text: string) => {
      const path = { id: datastore, key }
      const options = { client: checkedClient(server.url), path, body: { text } }
      const { response } = await sdk.putDocument(options)
      if (response?.ok) stored.set(key, text)
      // A broken connection leaves open whether it is stored.
      else unsure.add(key)
    }
    const writer = async (number: number) => {
      for (let n = 0; n < writes / 6; n++) {
        const key = `${number}-${random.below(8)}`
        await put(servers[number % 3]!, key, `Text ${n} of writer ${number}.`)
        if (number === 1 && n === 5) await servers[1].kill('SIGKILL')
        if (number === 1 && n === 8) servers[1] = await startOn(settings)
      }
    }
    await Promise.all(Array.from({ length: 6 }, (_, number) => writer(number)))
    for (const { url } of servers) {
      const client = checkedClient(url)
      const page = { limit: 100 }
      const { data } = await sdk.listDatasources({
        client,
        path: { id: datastore },
        query: page,
        throwOnError: true,
      })
      const keys = data.data.map(({ key }) => key)
      expect(new Set(keys).size).toBe(keys.length)
      for (const [key, text] of stored) {
        if (unsure.has(key)) continue
        const one = await sdk.getDocument({ client, path: { id: datastore, key } })
        expect(one.data?.text).toBe(text)
      }
    }
    // There are 48 keys.
    expect(stored.size).toBeGreaterThan(Math.min(writes / 6, 40))
  },
)
