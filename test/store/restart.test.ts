import { afterEach, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { RecordTable } from '../../src/store/records/records.ts'
import { refusalOf } from '../support/refused-start.ts'
import {
  checkedClient,
  openDatabase,
  openServer,
  temporaryDirectory,
  testKey,
} from '../support/server.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'
import { makeAgent, makeDatastore, query, upsert } from '../support/things.ts'

const started: ServerProcess[] = []
afterEach(async () => {
  for (const server of started.splice(0)) await server.kill('SIGKILL')
})

async function startWith(settings: NodeJS.ProcessEnv): Promise<ServerProcess> {
  const server = await spawnServer(settings)
  started.push(server)
  return server
}

const start = (directory: string): Promise<ServerProcess> =>
  startWith({ DATA_URI: directory, INITIAL_KEY: testKey })

test('after SIGKILL and a new start, everything acknowledged is there', async () => {
  const directory = await temporaryDirectory()
  const first = await start(directory)
  const before = checkedClient(first.url)
  const agent = await makeAgent(before)
  const deleted = await makeAgent(before)
  await sdk.deleteAgent({ client: before, path: { id: deleted.id } })
  const id = await makeDatastore(before)
  const acknowledged: string[] = []
  const writer = async (name: string) => {
    for (let n = 0; ; n++)
      acknowledged.push(...(await upsert(before, id, `${name} wrote text ${n}.`)))
  }
  const writers = Promise.allSettled(['a', 'b', 'c'].map(writer))
  await expect.poll(() => acknowledged.length).toBeGreaterThan(20)
  await first.kill('SIGKILL')
  await writers

  const { client: after, close } = await openServer({ dataUri: directory })
  expect((await sdk.getAgent({ client: after, path: { id: agent.id } })).data).toEqual(agent)
  const gone = await sdk.getAgent({ client: after, path: { id: deleted.id } })
  expect(gone.response?.status).toBe(404)
  for (const datasourceId of acknowledged) {
    const { data } = await sdk.getDatasource({ client: after, path: { id, datasourceId } })
    expect(data?.id).toBe(datasourceId)
  }
  expect(await query(after, id, { query: 'wrote text' })).toHaveLength(5)
  await close()
})

test(
  'a second server on the directory stops with a clear message; the first one’s death frees it',
  { tags: 'deep' },
  async () => {
    const directory = await temporaryDirectory()
    const first = await start(directory)
    expect(await refusalOf({ DATA_URI: directory })).toBe(
      `Another server is running on ${directory}. Stop it, or give this one its own DATA_URI.`,
    )
    await first.kill('SIGKILL')
    await (await openServer({ dataUri: directory })).close()
  },
)

test('the first key is printed by the first start that succeeds, and by no other', async () => {
  const taken = await openServer({ dataUri: await temporaryDirectory() })
  const DATA_URI = await temporaryDirectory()
  const PORT = new URL(taken.url).port
  // It fails when the store is open, and ends as any process whose start fails.
  await expect(startWith({ DATA_URI, PORT })).rejects.toThrow(
    new RegExp(`^PORT ${PORT} is taken[^\\n]*\\n$`),
  )
  await taken.close()
  const first = await startWith({ DATA_URI })
  const key = /ads_initial_\S+/.exec(first.lines.join())?.[0]
  const statusOf = async ({ url }: ServerProcess, with_ = key) =>
    (await sdk.listAgents({ client: checkedClient(url, with_) })).response?.status
  expect(await statusOf(first)).toBe(200)
  await first.kill('SIGKILL')
  // A key that is set later does not replace the one there is.
  const second = await start(DATA_URI)
  expect(second.lines.join()).not.toContain('ads_')
  expect([await statusOf(second), await statusOf(second, testKey)]).toEqual([200, 401])
})

test.each([
  ['HOST', 'nonsense.invalid'],
  ['HOST', '192.0.2.1'],
  ['INITIAL_KEY', `ads_initial_${'0'.repeat(48)}`],
  ['PORT', '70000'],
  ['PORT', 'x'],
  ['INITIAL_KEY', 'too-short'],
  ['INITIAL_KEY', 'with spaces in it, and longer than thirty-two characters'],
  ['DATA_URI', 'db://cloud'],
  ['DATA_URI', '/dev/null/data'],
  ['LOG_LEVEL', 'loud'],
  ['DURABILITY', 'none'],
  ['REQUEST_TIMEOUT', '0'],
  ['REQUEST_TIMEOUT', '1e3'],
])('a wrong %s (%s) stops the start and is named', async (name, value) => {
  const DATA_URI = await temporaryDirectory()
  expect(await refusalOf({ DATA_URI, [name]: value })).toContain(name)
})

test.each([
  [{ format: 99 }, /format 99,.*Start the version that made it, or .*empty DATA_URI/],
  [{ format: 4 }, /has format 4,.*upgrades from format 5.*Start version 0\.2\.0.*empty DATA_URI/],
  // As 0.2.0 leaves an upgrade that ended early.
  [{ format: 5, isUpgrading: true }, /is being upgraded to format 5,.*Start version 0\.2\.0/],
])('a store of %j stops the start and says the way out', async (format, wayOut) => {
  const directory = await temporaryDirectory()
  const database = await openDatabase(directory)
  const records = await RecordTable.open(database, 'store')
  await records.insert('format', 'service', format)
  database.close()
  expect(await refusalOf({ DATA_URI: directory })).toMatch(wayOut)
})
