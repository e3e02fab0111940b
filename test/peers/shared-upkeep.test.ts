import { connect } from '@lancedb/lancedb'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { checkedClient, temporaryDirectory, testKey } from '../support/server.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'
import { makeDatastore, upsert } from '../support/things.ts'
import { filesIn, openAzurite, storageOptionsOf } from './stores/azurite.ts'
import { installStores } from './stores/process.ts'

/** Upkeep of one object store by several servers. Their logs say who does what, and when. */

const deep = { tags: 'deep', timeout: 600_000 }

beforeAll(installStores, 600_000)

async function startServers(count: number) {
  const store = await openAzurite(await temporaryDirectory())
  onTestFinished(store.end)
  const settings = { INITIAL_KEY: testKey, LOG_LEVEL: 'debug', ...store.settings }
  const servers = await Promise.all(Array.from({ length: count }, () => spawnServer(settings)))
  for (const server of servers) {
    server.process.stdout!.resume()
    onTestFinished(() => server.kill('SIGKILL'))
  }
  const datastore = await makeDatastore(checkedClient(servers[0]!.url))
  return { store, settings, servers, datastore, table: `fragments_${datastore}` }
}

type Line = { time: string; msg: string; table?: string; job?: string }

/** The lines of a log that say that a job of a table begins or has ended. */
const jobsOf = (server: ServerProcess, table: string, msg?: string): Line[] =>
  server
    .errors()
    .split('\n')
    .filter((line) => line.includes('"job"') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.table === table && (msg ?? line.msg) === line.msg)

test(
  'three servers that write to one datastore maintain it one at a time, and leave no files of lost races',
  deep,
  async () => {
    const { store, servers, datastore, table } = await startServers(3)
    const ended = () => servers.flatMap((server) => jobsOf(server, table, 'maintained a table'))
    let written = 0
    const write = async ({ url }: ServerProcess) => {
      const client = checkedClient(url)
      while (ended().length < 8) await upsert(client, datastore, `Text ${written++}.`)
    }
    await Promise.all([...servers, ...servers].map(write))
    for (const { url } of servers) {
      const { data } = await sdk.getDatastore({
        client: checkedClient(url),
        path: { id: datastore },
      })
      expect(data?.datasourceCount).toBe(written)
    }
    for (const server of servers) await server.kill('SIGTERM')
    for (const server of servers) expect(server.errors()).not.toMatch(/conflict|could not be/i)
    const lines = servers.flatMap((server) => jobsOf(server, table))
    const inOrder = lines.toSorted((one, other) => one.time.localeCompare(other.time))
    // Jobs that overlapped would begin twice in a row.
    inOrder.forEach(({ msg }, n) => {
      expect(msg).toBe(n % 2 === 0 ? 'maintaining a table' : 'maintained a table')
    })
    // Versions stay for an hour. LanceDB drops older ones here, but no file that no version ever had.
    const storageOptions = storageOptionsOf(store.settings)
    const connection = await connect(store.settings.DATA_URI!, { storageOptions })
    const lance = await connection.openTable(table)
    await lance.optimize({ cleanupOlderThan: new Date() })
    let alive = 0
    for (const { version } of await lance.listVersions()) {
      await lance.checkout(version)
      alive += (await lance.stats()).fragmentStats.numFragments
    }
    const files = await filesIn(store.endpoint, `store/${table}.lance/data/`)
    expect(files.length).toBeLessThanOrEqual(2 * alive)
    const leases = await connection.openTable('leases')
    expect(await leases.countRows()).toBe(0)
  },
)

test(
  'a server that is killed while it maintains a table keeps the others waiting for half a minute',
  deep,
  async () => {
    const { settings, servers, datastore, table } = await startServers(2)
    const [first, second] = servers as [ServerProcess, ServerProcess]
    const client = checkedClient(first.url)
    const begun = () => jobsOf(first, table, 'maintaining a table').length
    const ended = () => jobsOf(first, table, 'maintained a table').length
    const killed = Promise.withResolvers<number>()
    first.process.stderr!.on('data', () => {
      if (begun() > ended()) void first.kill('SIGKILL').then(() => killed.resolve(Date.now()))
    })
    for (let n = 0; first.process.signalCode === null && n < 200; n++) {
      await upsert(client, datastore, `Text ${n}.`).catch(() => undefined)
    }
    const at = await killed.promise
    expect(begun()).toBeGreaterThan(ended())
    // Its lease is still in the store, and stops no start.
    const third = await spawnServer(settings)
    onTestFinished(() => third.kill('SIGKILL'))
    const there = checkedClient(second.url)
    const maintained = async () => {
      await upsert(there, datastore, 'One more.')
      return jobsOf(second, table, 'maintained a table').length
    }
    await expect.poll(maintained, { timeout: 120_000, interval: 500 }).toBeGreaterThan(0)
    const [line] = jobsOf(second, table, 'maintaining a table')
    expect(Date.parse(line!.time) - at).toBeGreaterThan(20_000)
    expect(Date.parse(line!.time) - at).toBeLessThan(60_000)
  },
)
