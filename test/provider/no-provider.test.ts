import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { makeLibrarian, question } from '../support/librarian.ts'
import { checkedClient, temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const connections: unknown[] = []
const canary = createServer((socket) => {
  connections.push(socket.remoteAddress)
  socket.destroy()
})
let port = 0
beforeAll(async () => {
  canary.listen(0, '127.0.0.1')
  await once(canary, 'listening')
  ;({ port } = canary.address() as AddressInfo)
})
afterAll(() => canary.close())

async function useService(settings: NodeJS.ProcessEnv): Promise<void> {
  const server = await spawnServer({
    DATA_URI: await temporaryDirectory(),
    INITIAL_KEY: testKey,
    OPENAI_API_KEY: 'sk-lying-about',
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    CHAT_API_KEY: 'sk-lying-about',
    CHAT_BASE_URL: `http://127.0.0.1:${port}/v1`,
    HTTP_PROXY: `http://127.0.0.1:${port}`,
    HTTPS_PROXY: `http://127.0.0.1:${port}`,
    NODE_USE_ENV_PROXY: '1',
    ...settings,
  })
  try {
    const client = checkedClient(server.url)
    const id = await makeDatastore(client)
    await upsert(client, id, 'A text that must not leave.')
    await query(client, id, { query: 'text' })
    const agent = await makeLibrarian(client)
    await sdk.queryAgent({ client, path: { id: agent }, body: { query: question } })
  } finally {
    await server.kill('SIGTERM')
  }
}

test(
  'without EMBEDDING_MODEL and CHAT_MODEL the service connects to nobody, whatever else is set',
  { tags: 'deep' },
  async () => {
    await useService({})
    expect(connections).toEqual([])
  },
)

test('with EMBEDDING_MODEL the same settings do connect', { tags: 'deep' }, async () => {
  await expect(useService({ EMBEDDING_MODEL: 'any' })).rejects.toMatchObject({ status: 502 })
  expect(connections.length).toBeGreaterThan(0)
})

test('and so they do with a model of one name of agents', { tags: 'deep' }, async () => {
  connections.length = 0
  await useService({ CHAT_MODEL_GPT_4_32K: 'any' })
  expect(connections.length).toBeGreaterThan(0)
})
