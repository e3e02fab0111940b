import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import { readConfig } from '../../src/config/config.ts'
import { startServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

/** Two servers on one store, as on an object store: an address, not a path, takes no lock. */
const dataUri = pathToFileURL(await temporaryDirectory()).href
const { client: here } = await startServer({ dataUri, readFreshness: 60 })
const { client: there } = await startServer({ dataUri, readFreshness: 60 })

/** A datastore with one document, which both servers have read. */
async function knownToBoth(): Promise<string> {
  const id = await makeDatastore(here)
  await upsert(here, id, 'The heron waits.')
  for (const client of [here, there]) expect(await idsOf(client, id, 'heron')).toHaveLength(1)
  return id
}

const idsOf = async (client: Client, id: string, text: string): Promise<string[]> =>
  (await query(client, id, { query: text, mode: 'keyword', topK: 100 })).map(
    (one) => one.datasource_id,
  )

test('READ_FRESHNESS=60: what others store may be missed, what this server stores is not', async () => {
  const id = await knownToBoth()
  // Once in a while upkeep reads the newest version.
  const isMissed = async () => {
    const stored = await upsert(here, id, 'The otter swims.')
    expect(await idsOf(here, id, 'otter')).toEqual(expect.arrayContaining(stored))
    return !(await idsOf(there, id, 'otter')).includes(stored[0]!)
  }
  await expect.poll(isMissed, { timeout: 30_000 }).toBe(true)
  const own = await upsert(there, id, 'The badger digs.')
  expect(await idsOf(there, id, 'badger')).toEqual(own)
})

test('READ_FRESHNESS=60: a change is made to what is stored now', async () => {
  const id = await knownToBoth()
  const [first = '', second = ''] = await upsert(here, id, 'The otter swims.', 'The badger digs.')
  const at = (datasourceId: string) => ({ client: there, path: { id, datasourceId } })
  const patched = await sdk.patchDatasource({ ...at(first), body: { name: 'Otters' } })
  expect(patched.data?.name).toBe('Otters')
  const body = { id: first, text: 'The otter sleeps.' }
  await sdk.updateDatasource({ client: here, path: { datastoreId: id }, body, throwOnError: true })
  const again = await sdk.patchDatasource({ ...at(first), body: { metadata: { of: 'rivers' } } })
  expect(again.data).toMatchObject({ name: 'Otters', metadata: { of: 'rivers' } })
  const found = await query(here, id, { query: 'otter', mode: 'keyword' })
  expect(found).toMatchObject([{ text: 'The otter sleeps.' }])
  expect((await sdk.deleteDatasource(at(second))).data?.text).toBe('The badger digs.')
})

test.each(['-1', '61', '2s', '0.0001'])('READ_FRESHNESS=%s stops the start', (READ_FRESHNESS) => {
  const told = `READ_FRESHNESS must be seconds, from 0 to 60, not "${READ_FRESHNESS}".`
  expect(() => readConfig({ READ_FRESHNESS })).toThrow(told)
})
