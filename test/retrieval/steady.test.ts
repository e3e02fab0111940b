import { connect } from '@lancedb/lancedb'
import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { Client } from '../../generated/client/index.ts'
import { type Fragment, type QueryDatastore, QueryMode } from '../../generated/types.gen.ts'
import { Provider } from '../support/provider.ts'
import { Random } from '../support/random.ts'
import { openServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'
import { filtersOf, textOf } from './brute-force.ts'
import { storeSamples } from './samples.ts'

const { VECTOR, KEYWORD, HYBRID } = QueryMode
const provider = await Provider.start()
const parts = 4

/** Settles when the index of words, or another one, holds all rows. */
const areIndexed = (dataUri: string, id: string, index?: string) =>
  expect.poll(() => unindexed(dataUri, id, index), { timeout: 60_000, interval: 100 }).toBe(0)

/** How many rows it does not hold yet, or another one, where there is no such index `Infinity`. */
async function unindexed(dataUri: string, id: string, index = 'words_idx'): Promise<number> {
  const connection = await connect(dataUri)
  const table = await connection.openTable(`fragments_${id}`)
  const stats = await table.indexStats(index)
  connection.close()
  return stats?.numUnindexedRows ?? Infinity
}

// From 2,000 fragments on vectors are searched by an index, which does not find all.
const cases = [
  { documents: 900, modes: [VECTOR, KEYWORD, HYBRID] },
  { documents: 2_600, modes: [KEYWORD, HYBRID] },
]

test.each(cases)(
  'of $documents documents a query finds the same until the next write',
  async (given) => {
    const { documents, modes } = given
    const random = new Random(documents)
    const dataUri = await temporaryDirectory()
    let server = await openServer({ dataUri })
    const id = await makeDatastore(server.client)
    const samples = await storeSamples(server.client, id, documents / parts, random)
    const questions: QueryDatastore[] = Array.from({ length: 100 }, (_, n) => ({
      query: textOf(random),
      topK: random.pick([1, 5, 20, 100]),
      mode: modes[n % modes.length]!,
      filters: n % 4 === 0 ? filtersOf(random, samples) : {},
    }))
    const askAll = (): Promise<Fragment[][]> =>
      Promise.all(questions.map((question) => query(server.client, id, question)))

    for (let part = 1; part < parts; part++) {
      await areIndexed(dataUri, id)
      for (const { id: datasourceId } of samples.splice(0, 10)) {
        await sdk.deleteDatasource({ client: server.client, path: { id, datasourceId } })
      }
      await storeSamples(server.client, id, documents / parts, random)
      const answers = await askAll()
      await areIndexed(dataUri, id)
      expect(await askAll()).toEqual(answers)
      await server.close()
      server = await openServer({ dataUri })
      expect(await askAll()).toEqual(answers)
    }
    await server.close()
  },
  120_000,
)

const paragraph = (word: string) =>
  `There is a ${word} in it. ${'It says a few things more that each of them says. '.repeat(25)}`.trim()

test('a word that a deleted document was full of finds the few others that hold it, at once', async () => {
  const dataUri = await temporaryDirectory()
  const server = await openServer({ dataUri })
  const { client } = server
  const id = await makeDatastore(client)
  const full = Array.from({ length: 700 }, () => paragraph('zebra')).join('\n\n')
  const [datasourceId] = await upsert(client, id, full)
  const few = Array.from({ length: 20 }, () => paragraph('zebra'))
  await upsert(client, id, ...few)
  await upsert(client, id, ...Array.from({ length: 300 }, () => paragraph('violin')))
  await areIndexed(dataUri, id)
  await sdk.deleteDatasource({ client, path: { id, datasourceId: datasourceId! } })
  for (const mode of [KEYWORD, HYBRID]) {
    for (const topK of [5, 20]) {
      const answer = await query(client, id, { query: 'zebra violin', mode, topK })
      expect(answer.map(({ text }) => text)).toEqual(few.slice(0, topK))
    }
  }
  await server.close()
}, 120_000)

const isStrong = ({ text }: Fragment) => text.startsWith('The invoice of the invoice')

/** So many texts, each another, with some words none of them shares. */
const texts = (count: number, textOfNumber: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => textOfNumber(n))

const letterText = (n: number) => `A letter ${n} lay there that nobody had read.`

/** As many documents as one request may have at a time. */
async function upsertAll(client: Client, id: string, all: string[]): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < all.length; n += 500) {
    ids.push(...(await upsert(client, id, ...all.slice(n, n + 500))))
  }
  return ids
}

/** All at once, so that they are few commits and files are not merged. */
async function removeAll(client: Client, id: string, datasourceIds: string[]): Promise<void> {
  const remove = (datasourceId: string) =>
    sdk.deleteDatasource({ client, path: { id, datasourceId }, throwOnError: true })
  await Promise.all(datasourceIds.map(remove))
}

test.each([1_800, 0])(
  'beside what is fresh the best of what was indexed are found, whatever was deleted (and %s others)',
  async (others) => {
    const dataUri = await temporaryDirectory()
    let server = await openServer({ dataUri })
    const { client } = server
    const id = await makeDatastore(client)
    const weak = texts(600, (n) => `The invoice ${n} was sent to somebody who paid it then.`)
    const strong = texts(5, (n) => `The invoice of the invoice ${n} was paid by nobody.`)
    const weakIds = await upsertAll(client, id, weak)
    await upsert(client, id, ...strong)
    await upsertAll(client, id, texts(others, letterText))
    await areIndexed(dataUri, id)
    await removeAll(client, id, weakIds.slice(0, 500))
    await upsert(client, id, ...texts(90, (n) => `An invoice ${n} came that somebody sent us.`))
    const ask = (mode: QueryMode) => query(server.client, id, { query: 'invoice', mode, topK: 5 })
    const askAll = () => Promise.all([ask(KEYWORD), ask(HYBRID)])
    const answers = await askAll()
    for (const answer of answers) expect(answer.filter(isStrong)).toHaveLength(5)
    await server.close()
    server = await openServer({ dataUri })
    expect(await askAll()).toEqual(answers)
    await areIndexed(dataUri, id)
    expect(await askAll()).toEqual(answers)
    await server.close()
  },
  120_000,
)

const filling =
  'and then they all went home by the long road over the hills where nobody had been'.split(' ')
const some = (n: number, most: number) => filling.slice(0, n % most).join(' ')
const quarryText = (n: number) => `${'quarry '.repeat(2 + (n % 7))}${some(n, 16)} ${n}`

const walrusText = (n: number) => `The walrus ${n} waits near ${some(n, 9)} mills.`

/** Of a thousand texts some hundreds hold the one, and ten the other. */
const askForWalruses = (client: Client, id: string): Promise<Fragment[][]> => {
  const ask = (mode: QueryMode, topK: number) =>
    query(client, id, { query: 'quarry walrus', mode, topK })
  return Promise.all([ask(KEYWORD, 5), ask(HYBRID, 5), ask(KEYWORD, 20)])
}

async function expectWalruses(client: Client, id: string): Promise<void> {
  for (const answer of await askForWalruses(client, id)) {
    const found = answer.filter(({ text }) => text.includes('walrus'))
    expect(found).toHaveLength(Math.min(answer.length, 10))
  }
}

test('a word that is rare since most of what held it was deleted is so beside one that is not', async () => {
  const dataUri = await temporaryDirectory()
  let server = await openServer({ dataUri })
  const { client } = server
  const id = await makeDatastore(client)
  await upsertAll(client, id, texts(300, quarryText))
  const ids = await upsertAll(client, id, texts(600, walrusText))
  await upsertAll(client, id, texts(1_200, letterText))
  await areIndexed(dataUri, id)
  await removeAll(client, id, ids.slice(0, 590))
  await expectWalruses(client, id)
  const answers = await askForWalruses(client, id)
  await server.close()
  server = await openServer({ dataUri })
  expect(await askForWalruses(server.client, id)).toEqual(answers)
  await server.close()
}, 120_000)

test('so is one of which files hold what was deleted, for too little is gone to write them anew', async () => {
  const dataUri = await temporaryDirectory()
  let server = await openServer({ dataUri })
  const { client } = server
  const id = await makeDatastore(client)
  await upsertAll(client, id, texts(300, quarryText))
  const ids = await upsert(client, id, ...texts(160, walrusText))
  const others = await upsertAll(client, id, texts(1_700, letterText))
  await areIndexed(dataUri, id, 'vector_idx')
  const connection = await connect(dataUri)
  const table = await connection.openTable(`fragments_${id}`)
  const files = async () => {
    await table.checkoutLatest()
    return (await table.stats()).fragmentStats.numFragments
  }
  while ((await files()) > 1) await removeAll(client, id, [others.pop()!])
  await removeAll(client, id, ids.slice(0, 150))
  await expectWalruses(client, id)
  // What is in no index when a table is opened has its files merged.
  await upsert(client, id, 'A last letter lay there.')
  await server.close()
  server = await openServer({ dataUri })
  await expectWalruses(server.client, id)
  await areIndexed(dataUri, id)
  for (let n = 0; n < 10; n++) await expectWalruses(server.client, id)
  connection.close()
  await server.close()
}, 120_000)

test('where vectors cannot be indexed a filter finds all that words do', async () => {
  const dataUri = await temporaryDirectory()
  const server = await openServer({ dataUri, provider: provider.settings })
  const { client } = server
  const id = await makeDatastore(client)
  await upsertAll(
    client,
    id,
    texts(2_100, (n) => `A letter ${n} lay there about herons.`),
  )
  const ids = () => unindexed(dataUri, id, 'custom_ids_idx')
  await expect.poll(ids, { timeout: 60_000, interval: 100 }).toBe(0)
  const metadata = { custom_id: 'new' }
  const later = texts(90, (n) => `The heron ${n} met herons.`).map((text) => ({ text, metadata }))
  await upsert(client, id, ...later)
  const ask = () =>
    query(client, id, { query: 'herons', mode: KEYWORD, filters: { custom_ids: ['new'] } })
  const answer = await ask()
  expect(answer.every(({ text }) => text.startsWith('The heron'))).toBe(true)
  expect(answer).toHaveLength(5)
  await areIndexed(dataUri, id)
  // What was written before is not at hand any more once this is indexed, too.
  await upsert(client, id, ...texts(90, (n) => `Another letter ${n} lay there.`))
  await areIndexed(dataUri, id)
  const found = (await ask()).map(({ text }) => text)
  expect(found).toEqual(answer.map(({ text }) => text))
  await server.close()
}, 120_000)

test('of texts that are alike the same are the nearest until the next write', async () => {
  const dataUri = await temporaryDirectory()
  let server = await openServer({ dataUri })
  const { client } = server
  const id = await makeDatastore(client)
  const alike = Array.from({ length: 55 }, () => 'A zebra stood in the grass.')
  // First, for fewer than a hundred that come when all others are indexed would be left out.
  await upsert(client, id, ...alike)
  await upsertAll(client, id, texts(2_145, letterText))
  await areIndexed(dataUri, id)
  await upsert(client, id, 'A violin lay in the grass.')
  const ask = (topK: number) =>
    query(server.client, id, { query: 'zebra in the grass', mode: VECTOR, topK })
  const askAll = () => Promise.all([1, 5, 32].map(ask))
  const answers = await askAll()
  const [first] = answers
  expect(answers.map((answer) => answer[0])).toEqual(answers.map(() => first![0]))
  await server.close()
  server = await openServer({ dataUri })
  expect(await askAll()).toEqual(answers)
  await areIndexed(dataUri, id)
  expect(await askAll()).toEqual(answers)
  await server.close()
}, 120_000)

const twelve = 'golf hotel india juliet kilo lima mike november oscar papa quebec romeo'.split(' ')

/** The same words, each time in another order, the first two never in a row. */
function shuffled(random: Random): string {
  for (;;) {
    const words = twelve.map((word) => ({ word, at: random.below(2 ** 30) }))
    const text = words.toSorted((a, b) => a.at - b.at).map(({ word }) => word)
    if (Math.abs(text.indexOf('golf') - text.indexOf('hotel')) > 1) return text.join(' ')
  }
}

test.each([297, 1_397, 2_997])(
  'of %s texts that hold the same words as often the same are the best until the next write',
  async (count) => {
    const random = new Random(count)
    const dataUri = await temporaryDirectory()
    let server = await openServer({ dataUri })
    const { client } = server
    const id = await makeDatastore(client)
    const others = texts(count, () => shuffled(random))
    const isInARow = ({ text }: Fragment) => text.includes('golf hotel')
    const inARow = [3, 6, 9].map((n) =>
      [...twelve.slice(2, n), ...twelve.slice(0, 2), ...twelve.slice(n)].join(' '),
    )
    await upsertAll(client, id, [...others, ...inARow])
    const askAll = () =>
      Promise.all(
        [KEYWORD, HYBRID].flatMap((mode) =>
          [1, 5, 100].map((topK) => query(server.client, id, { query: 'golf hotel', mode, topK })),
        ),
      )
    const answers = await askAll()
    for (const answer of count < 1_500 ? answers : []) {
      expect(answer.filter(isInARow)).toHaveLength(Math.min(answer.length, 3))
    }
    await areIndexed(dataUri, id)
    expect(await askAll()).toEqual(answers)
    await server.close()
    server = await openServer({ dataUri })
    expect(await askAll()).toEqual(answers)
    await server.close()
  },
  120_000,
)
