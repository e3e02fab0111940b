import { connect } from '@lancedb/lancedb'
import { expect, onTestFinished, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import type { Client } from '../../generated/client/index.ts'
import { type NewDocument, type Filters, QueryMode } from '../../generated/types.gen.ts'
import { Random, roundsFor } from '../support/random.ts'
import { joinServer, openServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, putDocument, query, upsert } from '../support/things.ts'
import { matches } from './metadata-match.ts'
import { filterOf, metadataOf } from './random-metadata.ts'

/** Memory searches these until an index holds them, and one answer shows all that are about a topic. */
const documents = 225
const topics = ['amber', 'basil', 'cedar', 'daisy', 'elder', 'fennel']
const customers = ['ada', 'ben', 'eve']
const questionsARound = 3
const { rounds, seed } = roundsFor('RECENT', 10)

type Note = { topic: string; custom_id: string; metadata: NewDocument['metadata'] }
type Notes = Map<string, Note>

function noteOf(random: Random): Note {
  const custom_id = random.pick(customers)
  return { topic: random.pick(topics), custom_id, metadata: { ...metadataOf(random), custom_id } }
}

const documentOf = (key: string, { topic, metadata }: Note): NewDocument => ({
  text: `A note about ${topic}, filed under ${key}.`,
  metadata,
})

test(`words find what was written a moment ago, and nothing that is gone, in ${rounds} rounds`, async () => {
  const { client } = await joinServer()
  const id = await makeDatastore(client)
  const random = new Random(seed)
  const keys = Array.from({ length: documents }, (_, n) => `key${n}`)
  const notes: Notes = new Map(keys.map((key) => [key, noteOf(random)]))
  const body = {
    documents: Array.from(notes, ([key, note]) => ({ key, ...documentOf(key, note) })),
  }
  await sdk.putDocuments({ client, path: { id }, body, throwOnError: true })
  for (let round = 0; round < rounds; round++) {
    await change(client, id, notes, random.pick(keys), random)
    await Promise.all(Array.from({ length: questionsARound }, () => ask(client, id, notes, random)))
  }
})

test('while indexes are made, words find what was acknowledged, at once', async () => {
  const { client } = await joinServer()
  const id = await makeDatastore(client)
  const load = async (loader: string) => {
    for (let part = 0; part < 12; part++) {
      const words = Array.from({ length: 100 }, (_, n) => `${loader}${part}x${n}`)
      await upsert(client, id, ...words.map((word) => `The box ${word} was sealed in May.`))
      const word = words[part]!
      const found = await query(client, id, { query: word, mode: QueryMode.KEYWORD, topK: 1 })
      expect(found.map(({ text }) => text)).toEqual([`The box ${word} was sealed in May.`])
    }
  }
  await Promise.all(['north', 'south', 'east'].map(load))
})

test('a question as long as a page finds a word that is new', async () => {
  const { client } = await joinServer()
  const id = await makeDatastore(client)
  const known = Array.from({ length: 90 }, (_, n) => `${topics[n % topics.length]}${n}`)
  const texts = known.map((_, n) => known.slice(n, n + 5).join(' '))
  await upsert(client, id, ...texts)
  const asked = { query: `${known.join(' ')} QX-77012`, mode: QueryMode.KEYWORD, topK: 100 }
  await query(client, id, asked)
  const part = 'The part QX-77012 fits the blue pump.'
  await upsert(client, id, part)
  expect((await query(client, id, asked)).map(({ text }) => text)).toContain(part)
})

test('questions while the first documents are stored leave them to be found', async () => {
  const { client } = await joinServer()
  const id = await makeDatastore(client)
  const texts = Array.from({ length: 250 }, (_, n) => `The box ${n} was sealed in May.`)
  let isStored = false
  const stored = upsert(client, id, ...texts).finally(() => (isStored = true))
  while (!isStored) await query(client, id, { query: 'box', mode: QueryMode.KEYWORD })
  await stored
  const asked = { query: 'box 77', mode: QueryMode.KEYWORD, topK: 1 }
  expect((await query(client, id, asked))[0]?.text).toBe(texts[77])
})

test('filters find what the index of words holds already, and memory no more', async () => {
  const dataUri = await temporaryDirectory()
  const { client, close } = await openServer({ dataUri })
  onTestFinished(close)
  const id = await makeDatastore(client)
  const load = (name: string, count: number) =>
    upsert(
      client,
      id,
      ...Array.from({ length: count }, (_, n) => ({
        text: `The ${name} box ${n} was sealed in May.`,
        metadata: { custom_id: name, lang: name },
      })),
    )
  const unindexed = async (index: string) => {
    const connection = await connect(dataUri)
    const table = await connection.openTable(`fragments_${id}`)
    const indexes = await table.listIndices()
    connection.close()
    return indexes.find(({ name }) => name === index)?.numUnindexedRows
  }
  for (let part = 0; part < 5; part++) await load('old', 500)
  await expect.poll(() => unindexed('labels_idx')).toBe(0)
  for (let part = 0; part < 2; part++) await load('new', 500)
  await expect.poll(() => unindexed('words_idx')).toBe(0)
  await load('newest', 150)
  for (const filters of [
    {},
    { custom_ids: ['new'] },
    { metadata: { type: 'eq', key: 'lang', value: 'new' } as const },
    { metadata: { type: 'ne', key: 'lang', value: 'old' } as const },
  ]) {
    const found = await query(client, id, {
      query: 'new box 77',
      mode: QueryMode.KEYWORD,
      topK: 1,
      filters,
    })
    expect([filters, found[0]?.text]).toEqual([filters, 'The new box 77 was sealed in May.'])
  }
})

async function change(client: Client, id: string, notes: Notes, key: string, random: Random) {
  if (notes.has(key) && random.chance(0.3)) {
    notes.delete(key)
    await sdk.deleteDocument({ client, path: { id, key }, throwOnError: true })
  } else {
    const note = noteOf(random)
    notes.set(key, note)
    await putDocument(client, id, key, documentOf(key, note))
  }
}

async function ask(client: Client, id: string, notes: Notes, random: Random): Promise<void> {
  const topic = random.pick(topics)
  const filters: Filters = {
    ...(random.chance(0.5) && { custom_ids: [random.pick(customers)] }),
    ...(random.chance(0.5) && { metadata: filterOf(random) }),
  }
  const expected = [...notes].filter(([, note]) => note.topic === topic && isWanted(note, filters))
  const asked = { query: `note ${topic}`, topK: 100, mode: QueryMode.KEYWORD, filters }
  const found = await query(client, id, { ...asked, perDatasource: 1 })
  const ofTopic = found.filter(({ text }) => text.includes(topic)).map(({ text }) => text)
  const texts = expected.map(([key, note]) => documentOf(key, note).text)
  expect(ofTopic.toSorted(), JSON.stringify(asked)).toEqual(texts.toSorted())
}

const isWanted = ({ custom_id, metadata }: Note, filters: Filters): boolean =>
  (filters.custom_ids?.includes(custom_id) ?? true) &&
  (!filters.metadata || matches(filters.metadata, metadata ?? null))
