import { afterEach, describe, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { checkedClient, openDatabase, temporaryDirectory, testKey } from '../support/server.ts'
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

  const second = await start(directory)
  const after = checkedClient(second.url)
  expect((await sdk.getAgent({ client: after, path: { id: agent.id } })).data).toEqual(agent)
  const gone = await sdk.getAgent({ client: after, path: { id: deleted.id } })
  expect(gone.response?.status).toBe(404)
  for (const datasourceId of acknowledged) {
    const { data } = await sdk.getDatasource({ client: after, path: { id, datasourceId } })
    expect(data?.id).toBe(datasourceId)
  }
  expect(await query(after, id, { query: 'wrote text' })).toHaveLength(5)
})

test('a second server on the directory stops with a clear message; the first one’s death frees it', async () => {
  const directory = await temporaryDirectory()
  const first = await start(directory)
  await expect(start(directory)).rejects.toThrow(
    `Another server is running on ${directory}. Stop it, or give this one its own DATA_URI.`,
  )
  await first.kill('SIGKILL')
  const second = await start(directory)
  await second.kill('SIGTERM')
  expect(second.process.exitCode).toBe(0)
  await start(directory)
})

describe('the first key', () => {
  test('is made and printed at the first start, works after the next, and is not printed again', async () => {
    const directory = await temporaryDirectory()
    const first = await startWith({ DATA_URI: directory })
    const key = /ads_\S+/.exec(first.lines.join())?.[0]
    expect((await sdk.listAgents({ client: checkedClient(first.url, key) })).response?.status).toBe(
      200,
    )
    await first.kill('SIGKILL')
    // A key that is set later does not replace the one there is.
    const second = await start(directory)
    expect(
      (await sdk.listAgents({ client: checkedClient(second.url, key) })).response?.status,
    ).toBe(200)
    expect((await sdk.listAgents({ client: checkedClient(second.url) })).response?.status).toBe(401)
  })
})

describe('a start that fails when the store is open', () => {
  test('on a taken port names it, and the first key is told by the start that succeeds', async () => {
    const taken = await start(await temporaryDirectory())
    const DATA_URI = await temporaryDirectory()
    const PORT = new URL(taken.url).port
    await expect(spawnServer({ DATA_URI, PORT })).rejects.toThrow(`PORT ${PORT} is taken`)
    const { lines } = await startWith({ DATA_URI })
    expect(lines.join()).toMatch(/ads_initial_/)
  })

  test.each([
    ['HOST', 'nonsense.invalid'],
    ['HOST', '192.0.2.1'],
    ['INITIAL_KEY', `ads_initial_${'0'.repeat(48)}`],
  ])('a wrong %s (%s) is named', async (name, value) => {
    const DATA_URI = await temporaryDirectory()
    await expect(spawnServer({ DATA_URI, [name]: value })).rejects.toThrow(name)
  })
})

test.each([
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
  await expect(spawnServer({ DATA_URI: '/dev/null/unused', [name]: value })).rejects.toThrow(name)
})

test.each([99, 2])('a store of format %i stops the start and says the way out', async (format) => {
  const directory = await temporaryDirectory()
  const { Records } = await import('../../src/store/records/records.ts')
  const database = await openDatabase(directory)
  const records = await Records.open<{ format: number }>(database, 'store')
  await records.insert('format', 'service', { format })
  database.close()
  await expect(start(directory)).rejects.toThrow(
    new RegExp(
      `format ${format},.*reads format \\d+ and upgrades from format \\d+.*empty DATA_URI`,
    ),
  )
})
