import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../generated/client/index.ts'
import { checkedClient, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'
import { counted, type Traffic } from './stores/counted.ts'
import { installStores } from './stores/process.ts'
import { startAzurite } from './stores/start.ts'

const deep = { tags: 'deep', timeout: 600_000 }

beforeAll(installStores, 600_000)

async function startOn(settings: NodeJS.ProcessEnv): Promise<Client> {
  const server = await spawnServer({ INITIAL_KEY: testKey, LOG_LEVEL: 'warn', ...settings })
  onTestFinished(() => server.kill('SIGKILL'))
  return checkedClient(server.url)
}

const find = (client: Client, id: string) => query(client, id, { query: 'heron', mode: 'keyword' })

/** What the store is asked for these queries, once all that they read is in memory and nothing else runs. */
async function trafficOf(
  { client, traffic }: { client: Client; traffic: () => Traffic },
  id: string,
  queries: number,
): Promise<Traffic> {
  await find(client, id)
  const isQuiet = () => traffic().requests === 0
  await expect.poll(isQuiet, { interval: 3_000, timeout: 300_000 }).toBe(true)
  await find(client, id)
  traffic()
  for (let n = 0; n < queries; n++) await find(client, id)
  return traffic()
}

test(
  'a query asks the store for the newest version, and with READ_FRESHNESS only now and then',
  deep,
  async () => {
    const azurite = await startAzurite()
    const writer = await startOn(azurite.settings)
    const id = await makeDatastore(writer)
    for (let n = 0; n < 20; n++) await upsert(writer, id, `The heron waits on day ${n}.`)
    const trafficWith = async (READ_FRESHNESS: string) => {
      const { settings, traffic } = await counted(azurite)
      const client = await startOn({ ...settings, READ_FRESHNESS })
      return trafficOf({ client, traffic }, id, 50)
    }
    const [newest, recent] = [await trafficWith('0'), await trafficWith('60')]
    expect(newest.requests).toBeGreaterThanOrEqual(50)
    expect(recent.requests).toBeLessThan(25)
    expect(recent.bytes).toBeLessThan(newest.bytes / 2)
  },
)

test('READ_FRESHNESS=2: what another server stores is found within that', deep, async () => {
  const { settings } = await startAzurite()
  const here = await startOn(settings)
  const there = await startOn({ ...settings, READ_FRESHNESS: '2' })
  const id = await makeDatastore(here)
  for (let n = 1; n <= 5; n++) {
    await upsert(here, id, `The heron waits on day ${n}.`)
    const count = async () => (await find(there, id)).length
    await expect.poll(count, { timeout: 10_000 }).toBe(n)
  }
})
