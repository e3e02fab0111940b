import { expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { Scope } from '../../generated/types.gen.ts'
import { operations } from '../support/contract.ts'
import { type Sample, samplesOf } from '../support/metrics.ts'
import { Provider, recorded, sendJson } from '../support/provider.ts'
import { spawnServer } from '../support/server-process.ts'
import { checkedClient, startServer, temporaryDirectory, testKey } from '../support/server.ts'
import { makeAgent, makeDatastore, makeKey, upsert } from '../support/things.ts'

const durations = 'http_request_duration_seconds'

const { client, url } = await startServer()

async function metricsOf(by = client): Promise<Sample[]> {
  const { data, response } = await sdk.getMetrics({ client: by, throwOnError: true })
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return samplesOf(data)
}

/** How many requests there were, by operation and status; the reading of metrics apart. */
async function countsOf(by = client): Promise<Record<string, number>> {
  const counted = (await metricsOf(by)).filter((one) => one.name === `${durations}_count`)
  return Object.fromEntries(
    counted
      .filter(({ labels }) => labels.operation !== 'getMetrics')
      .map(({ labels, value }) => [`${labels.operation} ${labels.status}`, value]),
  )
}

test('200: each request is counted once, by its operation and its status', async () => {
  const { id } = await makeAgent(client)
  for (let n = 0; n < 3; n++) await sdk.getAgent({ client, path: { id } })
  for (let n = 0; n < 2; n++) await sdk.getAgent({ client, path: { id: 'agt_unknown' } })
  await fetch(`${url}/agents/${id}`)
  await fetch(`${url}/nowhere`)
  await fetch(`${url}/agents`, { method: 'PURGE' })
  await fetch(`${url}/`)
  await fetch(`${url}/mcp`, { method: 'POST' })
  await expect
    .poll(() => countsOf())
    .toEqual({
      'createAgent 201': 1,
      'getAgent 200': 3,
      'getAgent 404': 2,
      'getAgent 401': 1,
      'none 404': 1,
      'none 405': 1,
      'none 200': 1,
      'mcp 401': 1,
    })
})

test('200: the buckets of a duration hold ever more, up to its count', async () => {
  for (let n = 0; n < 9; n++) await sdk.listAgents({ client })
  await expect.poll(() => countsOf()).toMatchObject({ 'listAgents 200': 9 })
  const own = (await metricsOf()).filter((one) => one.labels.operation === 'listAgents')
  const buckets = own.filter((one) => one.name === `${durations}_bucket`)
  const bounds = buckets.map(({ labels }) => Number(labels.le?.replace('+Inf', 'Infinity')))
  const values = buckets.map(({ value }) => value)
  expect(bounds).toEqual(bounds.toSorted((a, b) => a - b))
  expect(values).toEqual(values.toSorted((a, b) => a - b))
  expect([bounds.at(-1), values.at(-1)]).toEqual([Infinity, 9])
  expect(own.find((one) => one.name === `${durations}_sum`)?.value).toBeGreaterThan(0)
})

test('200: no label holds what a caller sent, and there are only so many of them', async () => {
  const marker = 'zanzibar'
  const { key } = await makeKey(client, {
    name: marker,
    workspace: marker,
    scopes: Object.values(Scope),
  })
  const own = checkedClient(url, key)
  await makeAgent(own, { name: marker })
  await sdk.getAgent({ client: own, path: { id: marker } })
  const headers = { 'user-agent': marker, authorization: `Bearer ${marker}`, host: marker }
  for (const method of ['GET', 'POST', 'PURGE']) {
    for (const path of [`/${marker}`, `/agents/${marker}`, `/agents?${marker}`, `/health/live`]) {
      await fetch(url + path, { method, headers })
    }
  }
  await expect.poll(() => countsOf()).toMatchObject({ 'getLiveness 200': 1 })
  const { data } = await sdk.getMetrics({ client, throwOnError: true })
  expect(data).not.toContain(marker)
  const kinds = new Set(operations.map(({ operationId }) => operationId)).add('mcp').add('none')
  for (const { family, labels } of samplesOf(data)) {
    if (family !== durations) continue
    expect(kinds).toContain(labels.operation)
    expect(labels.status).toMatch(/^([1-5]\d\d|none)$/)
    expect(Object.keys(labels).filter((one) => one !== 'le')).toEqual(['operation', 'status'])
  }
})

test('200: the contract explains each metric of requests, and has one as an example', async () => {
  const { description, responses } = operations.find((one) => one.operationId === 'getMetrics')!
  const explained = Array.from(description.matchAll(/`(http_\w+)`/g), ([, name]) => name)
  const families = new Set((await metricsOf()).map(({ family }) => family))
  expect([...families].filter((one) => one.startsWith('http_'))).toEqual(explained)
  const example = responses[200]?.content?.['text/plain']?.examples?.metrics?.value
  expect(samplesOf(String(example)).map(({ family }) => family)).toContain(durations)
})

test(
  '200: a query is in flight until its client hangs up, and then has no status',
  { tags: 'deep' },
  async () => {
    const provider = await Provider.start()
    const { client: by } = await startServer({ provider: provider.settings })
    const id = await makeDatastore(by)
    await upsert(by, id, 'The heron waits.')
    const asked = provider.calls.length
    const held = Promise.withResolvers<void>()
    onTestFinished(() => held.resolve())
    provider.behaviour = async (call, response) => {
      await held.promise
      sendJson(response, 200, recorded(call))
    }
    const inFlight = async () =>
      Object.fromEntries(
        (await metricsOf(by))
          .filter((one) => one.name === 'http_requests_in_flight')
          .map(({ labels, value }) => [labels.kind, value]),
      )
    const hangUp = new AbortController()
    const body = { query: 'heron' }
    const query = sdk.queryDatastore({ client: by, path: { id }, body, signal: hangUp.signal })
    await expect.poll(() => provider.calls.length).toBe(asked + 1)
    expect(await inFlight()).toEqual({ writes: 0, queries: 1, questions: 0 })
    hangUp.abort()
    await query
    await expect.poll(() => countsOf(by)).toMatchObject({ 'queryDatastore none': 1 })
    await expect.poll(inFlight).toEqual({ writes: 0, queries: 0, questions: 0 })
  },
)

test(
  '200: a server tells of its process too, and stops all the same',
  { tags: 'deep' },
  async () => {
    const settings = { DATA_URI: await temporaryDirectory(), INITIAL_KEY: testKey }
    const server = await spawnServer(settings)
    onTestFinished(() => server.kill('SIGKILL'))
    const samples = await metricsOf(checkedClient(server.url))
    const valueOf = (wanted: string) => samples.find((one) => one.name === wanted)?.value
    expect(valueOf('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
    expect(valueOf('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(valueOf('nodejs_heap_size_used_bytes')).toBeGreaterThan(1_000_000)
    await server.kill('SIGTERM')
  },
)
