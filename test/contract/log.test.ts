import { once } from 'node:events'
import { request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { QueryMode } from '../../generated/types.gen.ts'
import { spawnServer } from '../support/server-process.ts'
import { checkedClient, startServer, temporaryDirectory } from '../support/server.ts'
import { makeAgent, makeDatastore, makeKey, putDocument, query, upsert } from '../support/things.ts'

const initialKey = 'key-of-the-log-0123456789-0123456789'

test(
  'a reader of the log that stops reading stops no request, and gets all lines once it reads',
  { tags: 'deep' },
  async () => {
    const settings = { DATA_URI: await temporaryDirectory(), INITIAL_KEY: initialKey }
    const server = await spawnServer(settings)
    onTestFinished(() => server.kill('SIGKILL'))
    const stderr = server.process.stderr!
    stderr.pause()
    // More lines than the pipe and both its ends hold.
    for (let round = 0; round < 75; round++) {
      const calls = Array.from({ length: 20 }, () => fetch(`${server.url}/health/live`))
      expect((await Promise.all(calls)).every(({ ok }) => ok)).toBe(true)
    }
    server.process.kill('SIGTERM')
    stderr.resume()
    await once(server.process, 'close')
    const lines = server.errors().trimEnd().split('\n')
    expect(lines.filter((line) => line.includes('getLiveness'))).toHaveLength(1_500)
    expect(lines.at(-1)).toContain('"stopped"')
  },
)

test('a log that nobody can read any more ends no server', { tags: 'deep' }, async () => {
  const settings = { DATA_URI: await temporaryDirectory(), INITIAL_KEY: initialKey }
  const server = await spawnServer(settings)
  onTestFinished(() => server.kill('SIGKILL'))
  server.process.stderr!.destroy()
  for (let n = 0; n < 3; n++) expect((await fetch(`${server.url}/health/live`)).status).toBe(200)
  server.process.kill('SIGTERM')
  expect(await once(server.process, 'exit')).toEqual([0, null])
})

test('a log on a disk without room ends no server', { tags: 'deep' }, async () => {
  const settings = { DATA_URI: await temporaryDirectory(), INITIAL_KEY: initialKey }
  const wrapper = ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh']
  const server = await spawnServer(settings, { wrapper })
  onTestFinished(() => server.kill('SIGKILL'))
  for (let n = 0; n < 3; n++) expect((await fetch(`${server.url}/health/live`)).status).toBe(200)
  server.process.kill('SIGTERM')
  expect(await once(server.process, 'exit')).toEqual([0, null])
})

test('on stderr are lines of JSON alone, whatever is asked', { tags: 'deep' }, async () => {
  const settings = { DATA_URI: await temporaryDirectory(), INITIAL_KEY: initialKey }
  const server = await spawnServer(settings)
  onTestFinished(() => server.kill('SIGKILL'))
  let log = ''
  server.process.stderr?.on('data', (bytes) => (log += String(bytes)))
  const client = checkedClient(server.url, initialKey)
  const id = await makeDatastore(client)
  await upsert(client, id, 'Rivers carry sand.', 'Wind carries sand.')
  for (const mode of Object.values(QueryMode)) {
    const found = await query(client, id, { query: 'What do rivers carry?', mode })
    expect(found[0]?.text).toBe('Rivers carry sand.')
  }
  await server.kill('SIGTERM')
  await expect.poll(() => log).toContain('"stopped"')
  const lines = log.split('\n').filter((line) => line !== '')
  expect(lines.filter((line) => line.includes('queryDatastore'))).toHaveLength(3)
  for (const line of lines) expect(line).toMatch(/^\{"level":\d+,.*\}$/)
})

test('the line of a write says which key did it, and the id of what it made, changed or deleted', async () => {
  const { client, logged } = await startServer()
  const { id: key } = await makeKey(client)
  const { id: agent } = await makeAgent(client)
  const datastore = await makeDatastore(client)
  const { id: document } = await putDocument(client, datastore, 'a-name-of-ours', {
    text: 'At nine.',
  })
  await upsert(client, datastore, 'One of many.')
  const body = { datastoreIds: [datastore] }
  await sdk.putKnowledge({ client, path: { id: agent }, body, throwOnError: true })
  const path = { id: datastore, key: 'a-name-of-ours' }
  await sdk.deleteDocument({ client, path, throwOnError: true })
  await sdk.deleteAgent({ client, path: { id: agent }, throwOnError: true })
  await sdk.revokeKey({ client, path: { id: key }, throwOnError: true })
  await sdk.getKey({ client, path: { id: key }, throwOnError: true })
  const lines = () => logged.filter(({ operationId }) => operationId)
  await expect.poll(lines).toHaveLength(10)
  const told = lines().map(({ operationId, keyId, targetId }) => [operationId, keyId, targetId])
  expect(told.toSorted()).toEqual(
    [
      ['createKey', 'initial', key],
      ['createAgent', 'initial', agent],
      ['createDatastore', 'initial', datastore],
      ['putDocument', 'initial', document],
      ['upsertDocuments', 'initial', datastore],
      ['putKnowledge', 'initial', agent],
      ['deleteDocument', 'initial', document],
      ['deleteAgent', 'initial', agent],
      ['revokeKey', 'initial', key],
      ['getKey', 'initial', undefined],
    ].toSorted(),
  )
  expect(JSON.stringify(logged)).not.toContain('a-name-of-ours')
})

test('the line of a request that its key may not send says which key that was', async () => {
  const { url, client, logged } = await startServer()
  const { id, key } = await makeKey(client)
  const { response } = await sdk.createDatastore({
    client: checkedClient(url, key),
    body: { name: 'library' },
  })
  expect(response?.status).toBe(403)
  const lines = () => logged.filter(({ operationId }) => operationId === 'createDatastore')
  await expect.poll(lines).toMatchObject([{ status: 403, keyId: id }])
})

test('the line of a request has the id that its caller gave it, unless that could harm the log', async () => {
  const { url, logged } = await startServer()
  const harmless = ['4bf92f3577b34da6a3ce929d0e0e4736', 'a-b_c.d:e/f=', 'x'.repeat(128)]
  const others = ['x'.repeat(129), 'two words', '{"level":60}', 'é', '']
  for (const id of [...harmless, ...others]) {
    const headers = { 'x-request-id': id }
    const answer = await request(`${url}/health/live`, { headers })
    await answer.body.dump()
    expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f]+$/)
  }
  const lines = () => logged.filter(({ operationId }) => operationId === 'getLiveness')
  await expect.poll(lines).toHaveLength(harmless.length + others.length)
  const ids = lines().flatMap(({ callerRequestId }) => callerRequestId ?? [])
  expect(ids).toEqual(harmless)
})
