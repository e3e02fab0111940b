import { expect, test, vi } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { startServer } from '../support/server.ts'
import { makeDatastore, upsert } from '../support/things.ts'

const { client } = await startServer({ requestTimeout: 1 })
const { client: patient } = await startServer()

/** What is to be done in a second is tried again, for a machine may be slow. */
const inTime = <T>(work: () => Promise<T>): Promise<T> => vi.waitFor(work, 60_000)

/** A text of one million characters; its words are all different, which makes it slow to embed. */
const longText = (number: number): string =>
  Array.from({ length: 100_000 }, (_, n) => `${number}w${(100_000 + n).toString(36)}`).join(' ')

const longDocuments = Array.from({ length: 3 }, (_, number) => ({ text: longText(number) }))

test('an upsert that takes longer is 504, others are answered meanwhile, and nothing is stored', async () => {
  const datastoreId = await inTime(() => makeDatastore(client))
  const body = { documents: longDocuments }
  let running = true
  const upserting = sdk
    .upsertDocuments({ client, path: { datastoreId }, body })
    .finally(() => (running = false))
  let answered = 0
  for (; running; answered++) await sdk.getLiveness({ client, throwOnError: true })
  const { response, error } = await upserting
  expect([response?.status, error?.code]).toEqual([504, 'request_timeout'])
  expect(error?.detail).toContain('within 1 seconds; nothing was stored')
  expect(answered).toBeGreaterThan(5)

  // Had the work gone on, it would be done before the same work that was begun after it.
  await upsert(patient, await makeDatastore(patient), ...longDocuments)
  await inTime(() => upsert(client, datastoreId, 'A short text.'))
  const path = { id: datastoreId }
  const { data } = await inTime(() => sdk.getDatastore({ client, path, throwOnError: true }))
  expect([data.datasourceCount, data.fragmentCount]).toEqual([1, 1])
})

test('an update that takes longer is 504, and the old text stays', async () => {
  const update = (to: typeof client, datastoreId: string, id: string, number: number) =>
    sdk.updateDatasource({
      client: to,
      path: { datastoreId },
      body: { id, text: longText(number) },
    })
  const datastoreId = await inTime(() => makeDatastore(client))
  const old = ['Old text 0.', 'Old text 1.', 'Old text 2.']
  const ids = await inTime(() => upsert(client, datastoreId, ...old))
  // Together, for one alone may be done in time on a fast machine.
  const answers = await Promise.all(ids.map((id, n) => update(client, datastoreId, id, n)))
  expect(answers.map(({ response }) => response?.status)).toEqual([504, 504, 504])

  const other = await makeDatastore(patient)
  const others = await upsert(patient, other, ...old)
  const same = await Promise.all(others.map((id, n) => update(patient, other, id, n)))
  expect(same.map(({ response }) => response?.status)).toEqual([200, 200, 200])
  await inTime(() => upsert(client, datastoreId, 'A short text.'))
  for (const [n, datasourceId] of ids.entries()) {
    const path = { id: datastoreId, datasourceId }
    const { data } = await inTime(() => sdk.getDatasource({ client, path, throwOnError: true }))
    expect(data.text).toBe(`Old text ${n}.`)
  }
})
