import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { root } from '../support/contract.ts'
import { Provider, recorded, sendJson } from '../support/provider.ts'
import { checkedClient, openServer, temporaryDirectory, testKey } from '../support/server.ts'
import { type ServerProcess, type SpawnOptions, spawnServer } from '../support/server-process.ts'
import { makeDatastore } from '../support/things.ts'

/** For a server that is to have nothing to do but to wait. */
const quickTimers = { nodeOptions: ['--import', join(root, 'test/support/quick-timers.ts')] }

const started: ServerProcess[] = []
afterAll(async () => {
  for (const server of started) await server.kill('SIGKILL')
})
async function start(
  directory: string,
  options: SpawnOptions = {},
  settings: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> {
  const all = { DATA_URI: directory, INITIAL_KEY: testKey, ...settings }
  const server = await spawnServer(all, options)
  started.push(server)
  return server
}

const rounds = Number(process.env.STOP_ROUNDS ?? 1)

test(
  `SIGTERM under load (rounds: ${rounds}): exit 0, and everything acknowledged is there`,
  { tags: 'deep' },
  async () => {
    const directory = await temporaryDirectory()
    const acknowledged: string[] = []
    let datastoreId: string | undefined
    for (let round = 0; round < rounds; round++) {
      const server = await start(directory)
      const client = checkedClient(server.url)
      const id = (datastoreId ??= await makeDatastore(client))
      const before = acknowledged.length
      const write = async (): Promise<never> => {
        for (;;) {
          const documents = [{ text: 'A text to keep.' }, { text: 'And another. '.repeat(500) }]
          const path = { datastoreId: id }
          const { data } = await sdk.upsertDocuments({
            client,
            path,
            body: { documents },
            throwOnError: true,
          })
          acknowledged.push(...data.ids)
        }
      }
      const writers = Promise.allSettled(Array.from({ length: 6 }, write))
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 30)
      await server.kill('SIGTERM')
      expect(server.process.exitCode).toBe(0)
      // Nobody was answered with anything but ids, or not at all.
      for (const outcome of await writers) {
        expect(outcome).toMatchObject({ reason: { message: 'fetch failed' } })
      }
    }

    const { client, close } = await openServer({ dataUri: directory })
    const found = new Set<string>()
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { limit: 100, ...(cursor && { cursor }) }
      const path = { id: datastoreId ?? '' }
      const { data } = await sdk.listDatasources({ client, path, query, throwOnError: true })
      for (const { id } of data.data) found.add(id)
      cursor = data.nextCursor
    }
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
    // What is stored and was not acknowledged is at most the last upsert of each writer.
    expect(found.size - acknowledged.length).toBeLessThanOrEqual(rounds * 6 * 2)
    await close()
  },
)

/** What runs a server gives it ten seconds, which its timers tell though they run faster here. */
async function stopInTime(server: ServerProcess): Promise<void> {
  let log = ''
  server.process.stderr!.on('data', (bytes) => (log += String(bytes)))
  const closed = once(server.process, 'close')
  await server.kill('SIGTERM')
  await closed
  expect(server.process.exitCode).toBe(0)
  expect(Number(/^Waited (\d+) ms\.$/m.exec(log)?.[1])).toBeLessThan(10_000)
}

/** A connection on which a request was begun and never ends. */
async function halfSent({ url }: ServerProcess) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  const head = `POST /agents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\n`
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`)
  return socket
}

test('a request that was sent before the signal is answered, and what it stored is there', async () => {
  const directory = await temporaryDirectory()
  const provider = await Provider.start()
  const server = await start(directory, {}, settingsOf(provider))
  const client = checkedClient(server.url)
  const datastoreId = await makeDatastore(client)
  await startCall(provider)
  const released = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  provider.behaviour = async (call, response) => {
    asked.resolve()
    await released.promise
    sendJson(response, 200, recorded(call))
  }
  const documents = [{ text: 'The library opens at nine.' }, { text: 'It closes at six.' }]
  const path = { datastoreId }
  const upserting = sdk.upsertDocuments({ client, path, body: { documents }, throwOnError: true })
  await asked.promise
  const ended = server.kill('SIGTERM')
  await expect.poll(() => server.errors()).toContain('stopping')
  // A stop that waits for no answer ends by then.
  await pause(200)
  released.resolve()
  const { data, response } = await upserting
  // Else its client sends the next request on a connection that is about to end.
  expect(response.headers.get('connection')).toBe('close')
  await ended
  expect(server.process.exitCode).toBe(0)

  const after = await openServer({ dataUri: directory })
  const stored = await sdk.listDatasources({ client: after.client, path: { id: datastoreId } })
  expect(stored.data?.data.map(({ id }) => id)).toEqual(data.ids)
  await after.close()
})

/** A start calls its provider once. */
const startCall = ({ calls }: Provider) => expect.poll(() => calls.length).toBe(1)

const settingsOf = ({ settings: { model, baseUrl } }: Provider) => ({
  EMBEDDING_MODEL: model,
  EMBEDDING_DIMENSIONS: '5',
  OPENAI_BASE_URL: baseUrl,
})

test(
  'clients and a provider that never end keep the server for less than ten seconds, and what waits is not stored',
  { tags: 'deep' },
  async () => {
    const directory = await temporaryDirectory()
    const provider = await Provider.start()
    const server = await start(directory, quickTimers, settingsOf(provider))
    const client = checkedClient(server.url)
    const datastoreId = await makeDatastore(client)
    await startCall(provider)
    const asked = Promise.withResolvers<void>()
    provider.behaviour = () => asked.resolve()
    const documents = [{ text: 'A text.' }, { text: 'Another.' }]
    const upserting = sdk.upsertDocuments({ client, path: { datastoreId }, body: { documents } })
    await asked.promise
    const sockets = [await halfSent(server), ...(await refusedOnes(server))]
    await stopInTime(server)
    for (const socket of sockets) socket.destroy()
    expect((await upserting).data).toBeUndefined()

    const after = await openServer({ dataUri: directory })
    const { data } = await sdk.getDatastore({ client: after.client, path: { id: datastoreId } })
    expect(data?.datasourceCount).toBe(0)
    await after.close()
  },
)

/** Connections of clients that do not let go after a refusal. */
async function refusedOnes({ url }: ServerProcess) {
  const { hostname, port } = new URL(url)
  const heads = ['what is this', 'GET / HTTP/1.1\r\nExpect: nonsense', 'CONNECT x:443 HTTP/1.1']
  return Promise.all(
    heads.map(async (head) => {
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
      socket.on('error', () => undefined)
      socket.resume().write(`${head}\r\nHost: x\r\n\r\n`)
      await once(socket, 'end')
      return socket
    }),
  )
}

const heavy = test.runIf(process.env.STOP_ROUNDS)
heavy(
  'upserts that take longer end with the server, and each of them is stored whole or not at all',
  async () => {
    const directory = await temporaryDirectory()
    const server = await start(directory)
    const client = checkedClient(server.url)
    const id = await makeDatastore(client)
    // Words that are all different are slow to embed; equal texts would be embedded once.
    const documents = Array.from({ length: 12 }, (_, number) => ({
      text: Array.from({ length: 100_000 }, (__, n) => `${number}word${n.toString(36)}`)
        .join(' ')
        .slice(0, 1_000_000),
    }))
    const upserting = [1, 2, 3, 4, 5].map(() =>
      sdk.upsertDocuments({ client, path: { datastoreId: id }, body: { documents } }),
    )
    // By then they are read, which is done in one piece each, and being embedded.
    for (let asked = 0; asked < 50; asked++) await sdk.getLiveness({ client, throwOnError: true })
    await server.kill('SIGTERM')
    expect(server.process.exitCode).toBe(0)
    const outcomes = await Promise.all(upserting)
    const statuses = outcomes.map(({ response }) => response?.status)
    expect(statuses.filter((status) => status !== undefined && status !== 200)).toEqual([])
    const acknowledged = outcomes.flatMap(({ data }) => data?.ids ?? [])
    const after = checkedClient((await start(directory)).url)
    const { data } = await sdk.getDatastore({ client: after, path: { id }, throwOnError: true })
    // One that was being written as its connection was cut is finished, with nobody left to tell.
    expect(data.datasourceCount).toBeGreaterThanOrEqual(acknowledged.length)
    expect(data.datasourceCount % documents.length).toBe(0)
  },
)

test('a second signal, a second after the first, stops at once', { tags: 'deep' }, async () => {
  const server = await start(await temporaryDirectory())
  const socket = await halfSent(server)
  const exit = once(server.process, 'exit')
  let log = ''
  server.process.stderr?.on('data', (bytes) => (log += String(bytes)))
  server.process.kill('SIGTERM')
  await expect.poll(() => log).toContain('stopping')
  // Those of the first second are the same one, as a terminal and npm both send it.
  const again = setInterval(() => server.process.kill('SIGTERM'), 100)
  const [code] = await exit
  clearInterval(again)
  expect(code).toBe(1)
  expect(log).not.toContain('stopped')
  socket.destroy()
})
