import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { AgentsDatastores } from '../../client/src/index.ts'
import { serverSettings } from '../../src/config/config.ts'
import { installStores } from '../peers/stores/process.ts'
import { startAzurite } from '../peers/stores/start.ts'
import { type Operation, operations } from '../support/contract.ts'
import { hasTool } from '../support/operator-tools.ts'
import { testKey } from '../support/server.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'
import { stages } from './dockerfile.ts'
import { deployed, fetchUnverified, startCaddyBefore, startNginxBefore } from './proxy.ts'

type Service = {
  image: string
  environment: Record<string, string>
  volumes?: string[]
  healthcheck?: object
  depends_on?: Record<string, { condition: string }>
}
const text = readFileSync(deployed('servers.compose.yaml'), 'utf8')
const { services, volumes } = parse(text, { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, null>
}
const servers = Object.entries(services).filter(([name]) => name.startsWith('server-'))

test('servers.compose.yaml sets only what the service and its object store read', () => {
  const ofStore = ['NAME', 'KEY'].map((name) => `AZURE_STORAGE_ACCOUNT_${name}`)
  const known = [
    ...serverSettings,
    ...ofStore,
    'AZURE_STORAGE_ENDPOINT',
    'AZURE_STORAGE_ALLOW_HTTP',
  ]
  expect(servers).toHaveLength(3)
  for (const [name, { environment }] of servers) {
    expect(known).toEqual(expect.arrayContaining(Object.keys(environment)))
    expect(environment.SERVER_NAME).toBe(name)
  }
  const stores = servers.map(([, { environment }]) => ({ ...environment, SERVER_NAME: '' }))
  expect(new Set(stores.map((one) => JSON.stringify(one))).size).toBe(1)
})

test('its images have versions, and each service waits for those that it needs', () => {
  const { store, container, caddy } = services
  for (const { image } of [store!, container!, caddy!]) expect(image).toMatch(/:\d[\d.]*$/)
  expect(store!.healthcheck).toBeDefined()
  expect(container!.depends_on).toEqual({ store: { condition: 'service_healthy' } })
  // The image of the servers has a health check of its own.
  expect(
    stages()
      .at(-1)!
      .steps.map(({ name }) => name),
  ).toContain('HEALTHCHECK')
  const made = { container: { condition: 'service_completed_successfully' } }
  for (const [, server] of servers) expect(server.depends_on).toEqual(made)
  const names = servers.map(([name]) => name)
  expect(Object.keys(caddy!.depends_on!)).toEqual(names)
  expect(caddy!.environment.SERVICE).toBe(names.map((name) => `${name}:3000`).join(' '))
  expect(caddy!.volumes![0]).toMatch(/^\.\/servers\.Caddyfile:/)
  expect(Object.keys(volumes)).toEqual(['store', 'certificates'])
})

const proxies = [
  ...(hasTool('caddy') ? [{ name: 'Caddy', startBefore: startCaddyBefore }] : []),
  ...(hasTool('nginx') ? [{ name: 'nginx', startBefore: startNginxBefore }] : []),
]

const deep = { tags: 'deep', timeout: 600_000 }

/** Three servers on one object store. */
async function startServers(): Promise<ServerProcess[]> {
  await installStores()
  const { settings } = await startAzurite()
  const start = async (SERVER_NAME: string) => {
    const server = await spawnServer({ INITIAL_KEY: testKey, SERVER_NAME, ...settings })
    onTestFinished(() => server.kill('SIGKILL'))
    return server
  }
  return Promise.all(['a', 'b', 'c'].map(start))
}

/** The servers that answered these requests, by the lines in their logs. */
async function answering(running: ServerProcess[], requestIds: string[]) {
  const find = (requestId: string) => {
    const server = running.find((one) => one.errors().includes(requestId))
    expect(server).toBeDefined()
    return server!
  }
  return new Set(await vi.waitFor(() => requestIds.map(find), { timeout: 10_000 }))
}

test.runIf(hasTool('caddy'))(
  'behind Caddy, a server that is killed costs no request that may be sent again',
  deep,
  async () => {
    const running = await startServers()
    const proxy = await startCaddyBefore(running.map(({ url }) => url))
    onTestFinished(proxy.stop)
    const client = new AgentsDatastores({
      baseUrl: proxy.url,
      apiKey: testKey,
      fetch: fetchUnverified,
    })
    const { id } = await client.createDatastore({ name: 'library' })
    const statuses = new Map<number, number>()
    const rounds = 20
    const caller = async (number: number) => {
      for (let n = 0; n < rounds; n++) {
        await client.putDocument(id, `${number}-${n}`, { text: `The heron waits at pond ${n}.` })
        expect(await client.queryDatastore(id, { query: 'heron' })).not.toHaveLength(0)
        // Sent once by the caller: it is the proxy that tries again.
        const headers = { authorization: `Bearer ${testKey}` }
        const { status } = await fetchUnverified(`${proxy.url}/datastores/${id}`, { headers })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (number === 0 && n === 5) await running[1]!.kill('SIGKILL')
      }
    }
    await Promise.all([0, 1, 2, 3].map(caller))
    expect(Object.fromEntries(statuses)).toEqual({ 200: 4 * rounds })
    expect((await client.getDatastore(id)).datasourceCount).toBe(4 * rounds)
  },
)

const parameter = /\{(?:datastoreId|id)\}/
const ofDatastores = operations.filter(
  ({ path }) => path.includes('/datastores/') && parameter.test(path),
)
const isRead = ({ method, operationId }: Operation) =>
  method === 'GET' || operationId === 'queryDatastore'

async function ask(url: string, method: string, body: string | undefined) {
  const headers = {
    authorization: `Bearer ${testKey}`,
    'content-type': 'application/json',
    // Whatever a caller says, the path leads to a server.
    'x-datastore': String(Math.random()),
  }
  const response = await fetchUnverified(url, { method, headers, body: body ?? null })
  await response.text()
  return { status: response.status, requestId: response.headers.get('x-request-id')! }
}

describe.each(proxies)('behind $name', ({ startBefore }) => {
  test('what writes to a datastore goes to one server, all else to all', deep, async () => {
    const running = await startServers()
    const { url, stop } = await startBefore(running.map((server) => server.url))
    onTestFinished(stop)
    const serversOf = async (some: Operation[], id: string) => {
      const calls = Array.from({ length: 4 }, () => some).flat()
      const asked = calls.map(({ method, path }) =>
        ask(url + path.replace(parameter, id), method, method === 'GET' ? undefined : '{}'),
      )
      const requestIds = (await Promise.all(asked)).map(({ requestId }) => requestId)
      return answering(running, requestIds)
    }
    const writers = new Set<ServerProcess>()
    for (let n = 0; n < 12; n++) {
      const writing = ofDatastores.filter((one) => !isRead(one))
      const [writer, ...others] = await serversOf(writing, `nothing-${n}`)
      expect(others).toEqual([])
      writers.add(writer!)
    }
    // Of so few datastores a server may have none.
    expect(writers.size).toBeGreaterThan(1)
    const reading = Array.from({ length: 4 }, () => ofDatastores.filter(isRead)).flat()
    expect((await serversOf(reading, 'nothing-0')).size).toBe(running.length)
  })

  test('when that server is killed, another one has its writes', deep, async () => {
    const running = await startServers()
    const { url, stop } = await startBefore(running.map((server) => server.url))
    onTestFinished(stop)
    const settings = { baseUrl: url, apiKey: testKey, fetch: fetchUnverified }
    const client = new AgentsDatastores(settings)
    const { id } = await client.createDatastore({ name: 'library' })
    const keys = Array.from({ length: 20 }, (_, n) => `key-${n}`)
    const documents = `${url}/datastores/${id}/documents`
    const writers = async () => {
      const body = JSON.stringify({ text: 'The heron waits.' })
      const asked = await Promise.all(keys.map((key) => ask(`${documents}/${key}`, 'PUT', body)))
      expect(asked.every(({ status }) => status < 300)).toBe(true)
      return [
        ...(await answering(
          running,
          asked.map(({ requestId }) => requestId),
        )),
      ]
    }
    const [writer, ...others] = await writers()
    expect(others).toEqual([])
    await writer!.kill('SIGKILL')
    // Until Caddy knows that it is gone, it answers 502 to some: the client sends them again.
    await Promise.all(keys.map((key) => client.putDocument(id, key, { text: 'The otter swims.' })))
    await expect.poll(writers, { timeout: 30_000 }).toHaveLength(1)
    expect(await writers()).not.toContain(writer)
    expect((await client.getDatastore(id)).datasourceCount).toBe(keys.length)
  })
})

test.runIf(hasTool('caddy'))('servers.Caddyfile has the form that Caddy gives it', () => {
  const file = deployed('servers.Caddyfile')
  const formatted = execFileSync('caddy', ['fmt', file], { stdio: 'pipe' })
  expect(String(formatted)).toBe(readFileSync(file, 'utf8'))
})
