import { readFileSync } from 'node:fs'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { AgentsDatastores } from '../../client/src/index.ts'
import { serverSettings } from '../../src/config/config.ts'
import { installStores } from '../peers/stores/process.ts'
import { startAzurite } from '../peers/stores/start.ts'
import { hasTool } from '../support/operator-tools.ts'
import { testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { stages } from './dockerfile.ts'
import { deployed, fetchUnverified, startCaddyBefore } from './proxy.ts'

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

beforeAll(() => (hasTool('caddy') ? installStores() : undefined), 600_000)

test.runIf(hasTool('caddy'))(
  'behind Caddy, a server that is killed costs no request that may be sent again',
  { tags: 'deep', timeout: 600_000 },
  async () => {
    const { settings } = await startAzurite()
    const start = async (SERVER_NAME: string) => {
      const names = { INITIAL_KEY: testKey, LOG_LEVEL: 'warn', SERVER_NAME }
      const server = await spawnServer({ ...names, ...settings })
      onTestFinished(() => server.kill('SIGKILL'))
      return server
    }
    const running = await Promise.all(['a', 'b', 'c'].map(start))
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
