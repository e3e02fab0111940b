import { connect, type Table } from '@lancedb/lancedb'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../generated/client/index.ts'
import { QueryMode } from '../../generated/types.gen.ts'
import { Random, roundsFor } from '../support/random.ts'
import { checkedClient, openServer, temporaryDirectory, testKey } from '../support/server.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

/** What an earlier life stored while indexes were made is in some of them, and in others not. */
const { rounds, seed } = roundsFor('LEFT_BEHIND', 1)

const allIndexes = ['custom_ids', 'datasource_id', 'vector', 'words']

const started: ServerProcess[] = []
afterEach(async () => {
  for (const server of started.splice(0)) await server.kill('SIGKILL')
})

/** The table of a datastore as it is in its files. */
async function tableOf(dataUri: string, id: string): Promise<Table> {
  const connection = await connect(dataUri)
  onTestFinished(() => connection.close())
  return connection.openTable(`fragments_${id}`)
}

/** Settles when there are these indexes, and each holds all rows. */
const areWhole = (table: Table, columns = allIndexes) =>
  expect
    .poll(async () => {
      await table.checkoutLatest()
      const each = columns.map((column) => table.indexStats(`${column}_idx`))
      return (await Promise.all(each)).every((stats) => stats?.numUnindexedRows === 0)
    })
    .toBe(true)

/** Enough for an index of vectors. */
async function storeLetters(client: Client, id: string): Promise<void> {
  const each = 420
  for (let part = 0; part < 5; part++) {
    const letters = Array.from({ length: each }, (_, n) => ({
      text: `A letter ${part * each + n} lay there that nobody had read.`,
      metadata: { custom_id: 'all' },
    }))
    await upsert(client, id, ...letters)
  }
}

type Bee = { id: string; text: string }

const mostFound = 100

/** Texts that answer `bees`. */
async function storeBees(client: Client, id: string, texts: string[]): Promise<Bee[]> {
  const metadata = { custom_id: ['bees', 'all'] }
  const ids = await upsert(client, id, ...texts.map((text) => ({ text, metadata })))
  return ids.map((one, index) => ({ id: one, text: texts[index]! }))
}

/** Those that were acknowledged; no more than one answer can hold. */
async function storeUntil(dead: Promise<void>, client: Client, id: string): Promise<Bee[]> {
  const bees: Bee[] = []
  // One that was not may be there, too.
  while (bees.length < mostFound - 1) {
    const stored = await storeBees(client, id, [`Bees make honey, says ${bees.length}.`]).catch(
      () => [],
    )
    if (stored.length === 0) break
    bees.push(...stored)
  }
  await dead
  return bees
}

/** Each is found by every mode and filter that it matches. */
async function expectAll(client: Client, id: string, bees: Bee[]): Promise<void> {
  const ids = bees.map((bee) => bee.id)
  for (const filters of [
    { custom_ids: ['bees'] },
    { custom_ids: ['all'] },
    { datasource_ids: ids },
  ]) {
    for (const mode of Object.values(QueryMode)) {
      const found = await query(client, id, { query: 'bees honey', topK: mostFound, mode, filters })
      const missing = bees.filter((bee) => found.every((one) => one.datasource_id !== bee.id))
      expect(missing, `${mode} ${JSON.stringify(filters).slice(0, 99)}`).toEqual([])
    }
  }
}

test.each([5, 1])(
  'what was stored after the indexes of filters were made, and before that of vectors, is found: %i',
  { tags: 'deep' },
  async (count) => {
    const dataUri = await temporaryDirectory()
    const first = await openServer({ dataUri })
    const id = await makeDatastore(first.client)
    await storeLetters(first.client, id)
    const table = await tableOf(dataUri, id)
    await areWhole(table, ['vector', 'words'])
    // So few are in no index yet.
    const texts = Array.from({ length: count }, (_, n) => `Bees make honey, says ${n}.`)
    const bees = await storeBees(first.client, id, texts)
    await first.close()
    // As who dies before that of vectors was made leaves it.
    await table.checkoutLatest()
    await table.dropIndex('vector_idx')

    const second = await openServer({ dataUri })
    await expectAll(second.client, id, bees)
    await areWhole(table)
    await expectAll(second.client, id, bees)
    await second.close()
  },
)

test(
  `what was stored is found, also where the server dies while indexes are made (rounds: ${rounds})`,
  { tags: 'deep', timeout: rounds * 120_000 },
  async () => {
    const random = new Random(seed)
    const dataUri = await temporaryDirectory()
    const start = async () => {
      const server = await spawnServer({ DATA_URI: dataUri, INITIAL_KEY: testKey })
      started.push(server)
      return { server, client: checkedClient(server.url) }
    }
    for (let round = 0; round < rounds; round++) {
      const { server, client } = await start()
      const id = await makeDatastore(client)
      await storeLetters(client, id)
      // To make them takes some half a second.
      const dead = pause(random.below(1_000)).then(() => server.kill('SIGKILL'))
      const bees = await storeUntil(dead, client, id)
      const again = await start()
      await expectAll(again.client, id, bees)
      await areWhole(await tableOf(dataUri, id))
      await expectAll(again.client, id, bees)
      await again.server.kill('SIGKILL')
    }
  },
)
