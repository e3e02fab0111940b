import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { checkedClient, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { makeDatastore, putDocument } from '../support/things.ts'
import { installStores } from './stores/process.ts'
import { startAzurite } from './stores/start.ts'

/** Two servers on one object store change one document at the same moment. */

const rounds = 5
const deep = { tags: 'deep', timeout: 240_000 }

beforeAll(installStores, 600_000)

async function startTwo() {
  const { settings } = await startAzurite()
  const start = async () => {
    const server = await spawnServer({ INITIAL_KEY: testKey, LOG_LEVEL: 'warn', ...settings })
    onTestFinished(() => server.kill('SIGKILL'))
    return checkedClient(server.url)
  }
  const clients = await Promise.all([start(), start()])
  return { clients, datastore: await makeDatastore(clients[0]) }
}

/** The sorted statuses that the servers answer when all are asked at once. */
const asked = async (
  clients: Client[],
  ask: (client: Client, n: number) => Promise<{ response?: Response | undefined }>,
): Promise<number[]> =>
  (await Promise.all(clients.map(ask))).map(({ response }) => response?.status ?? 0).toSorted()

/** Texts of different lengths, whose fragments must not stand beside each other. */
const textOf = (writer: number, round: number): string =>
  Array.from({ length: 20 + 400 * writer }, () => `Writer ${writer} of round ${round}.`).join(' ')

test('one of two conditional writes is done, and the other is refused', deep, async () => {
  const { clients, datastore } = await startTwo()
  const put = (key: string, round: number, headers: Record<string, string>) =>
    asked(clients, (client, writer) => {
      const body = { text: textOf(writer, round) }
      return sdk.putDocument({ client, path: { id: datastore, key }, body, headers })
    })
  const read = async (client: Client, key: string) => {
    const { data, response } = await sdk.getDocument({ client, path: { id: datastore, key } })
    return { text: data?.text, tag: response!.headers.get('ETag')! }
  }
  for (let round = 0; round < rounds; round++) {
    const key = `new-${round}`
    expect(await put(key, round, { 'If-None-Match': '*' })).toEqual([201, 412])
    const { tag } = await read(clients[0], key)
    expect(await put(key, round, { 'If-Match': tag })).toEqual([200, 412])
    const [one, other] = await Promise.all(clients.map((client) => read(client, key)))
    expect(one).toEqual(other)
    expect([textOf(0, round), textOf(1, round)]).toContain(one!.text)
    const deleted = await asked(clients, (client) => {
      const headers = { 'If-Match': one!.tag }
      return sdk.deleteDocument({ client, path: { id: datastore, key }, headers })
    })
    expect(deleted[0]).toBe(200)
    expect(
      await Promise.all(clients.map(async (client) => (await read(client, key)).text)),
    ).toEqual([undefined, undefined])
  }
})

test('no patch of a document is lost', deep, async () => {
  const { clients, datastore } = await startTwo()
  const { id: datasourceId } = await putDocument(clients[0], datastore, 'key', { text: 'Text.' })
  const path = { id: datastore, datasourceId }
  const fields = Array.from({ length: 3 * rounds }, (_, n) => `field-${n}`)
  const statuses = await asked(
    fields.map((_, n) => clients[n % clients.length]!),
    (client, n) => {
      const body = { metadata: { [fields[n]!]: n } }
      return sdk.patchDatasource({ client, path, body })
    },
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  const { data } = await sdk.getDatasource({ client: clients[1], path })
  expect(Object.keys(data!.metadata!).toSorted()).toEqual(fields.toSorted())
})
