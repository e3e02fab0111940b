import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import type { PutKnowledge } from '../../generated/types.gen.ts'
import { openServer, startServer, temporaryDirectory } from '../support/server.ts'
import { makeAgent, makeDatastore, putDocument, query, upsert } from '../support/things.ts'

/** Some seconds, so that a round comes every second or two. */
const eraseHours = 4 / 3_600

/** Which of these stand in the files of a directory, by the file. */
async function findIn(directory: string, words: string[]): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const found = await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file).catch(() => Buffer.alloc(0))
      return words.filter((word) => bytes.includes(word)).map((word) => `${word} in ${file}`)
    }),
  )
  return found.flat()
}

const untilGone = (directory: string, words: string[]) =>
  expect.poll(() => findIn(directory, words), { timeout: 60_000, interval: 200 }).toEqual([])

const others = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    text: `The text of shelf ${n}.`,
    metadata: { shelf: n },
  }))

/** Puts words of each kind into a store, and takes them out again. */
async function writeAndDelete(client: Client): Promise<string[]> {
  const store = await makeDatastore(client, 'library')
  await upsert(client, store, ...others(40))
  const document = (mark: string) => ({
    text: `The ${mark}text opens at nine.`,
    name: `${mark}name`,
    metadata: {
      place: `${mark}metadata`,
      custom_id: `${mark}customer`,
      source: `https://${mark}source`,
    },
  })
  const [deleted = ''] = await upsert(client, store, document('zqdeleted'))
  await putDocument(client, store, 'zqkey', document('zqreplaced'))

  const { id: agent } = await makeAgent(client)
  const knowing = async (body: PutKnowledge) =>
    sdk.putKnowledge({ client, path: { id: agent }, body, throwOnError: true })
  await knowing({ datastoreIds: [store] })
  const ask = async (question: string, visitorId: string) => {
    const body = { query: question, visitorId }
    const { data } = await sdk.queryAgent({ client, path: { id: agent }, body, throwOnError: true })
    return data.conversationId ?? ''
  }
  const conversation = await ask('When does the zqdeletedtext open?', 'zqfirstvisitor')
  await ask('Who has the zqquestion?', 'zqsecondvisitor')
  await ask('Who else is there?', 'third')

  await sdk.deleteDatasource({
    client,
    path: { id: store, datasourceId: deleted },
    throwOnError: true,
  })
  await putDocument(client, store, 'zqkey', { text: 'Another text.' })
  await sdk.deleteDocument({ client, path: { id: store, key: 'zqkey' }, throwOnError: true })
  await sdk.deleteConversation({ client, path: { id: conversation }, throwOnError: true })
  const erased = { path: { id: agent }, query: { visitorId: 'zqsecondvisitor' } }
  await sdk.deleteConversations({ client, ...erased, throwOnError: true })
  await knowing({ datastoreIds: [store], noAnswer: 'zqnoanswer' })
  await knowing({ datastoreIds: [store] })

  const other = await makeDatastore(client, 'zqdatastore')
  await upsert(client, other, document('zqdropped'))
  await sdk.deleteDatastore({ client, path: { id: other }, throwOnError: true })
  const { id: gone } = await makeAgent(client, { name: 'zqagent', systemPrompt: 'zqprompt' })
  await sdk.deleteAgent({ client, path: { id: gone }, throwOnError: true })
  const changed = await makeAgent(client, { name: 'zqformername' })
  const body = { name: 'Another', description: 'x' }
  await sdk.updateAgent({ client, path: { id: changed.id }, body, throwOnError: true })
  const parts = ['text', 'name', 'metadata', 'customer', 'source']
  return [
    ...['zqdeleted', 'zqreplaced', 'zqdropped'].flatMap((mark) => parts.map((part) => mark + part)),
    'zqkey',
    'zqfirstvisitor',
    'zqsecondvisitor',
    'zqquestion',
    'zqnoanswer',
    'zqdatastore',
    'zqagent',
    'zqprompt',
    'zqformername',
  ]
}

test('what was deleted or replaced is off the disk in time, and what stays is found', async () => {
  const dataUri = await temporaryDirectory()
  const { client, logged } = await startServer({ dataUri, eraseHours })
  const words = await writeAndDelete(client)
  await untilGone(dataUri, words)
  const { data } = await sdk.listDatastores({ client, throwOnError: true })
  const found = await query(client, data.data[0]!.id, { query: 'text of shelf 7', topK: 1 })
  expect(found[0]?.text).toBe('The text of shelf 7.')
  expect(logged.filter(({ level }) => Number(level) > 30)).toEqual([])
})

test(
  'what was deleted in an earlier life is off the disk in time, in a store that nobody uses',
  { tags: 'deep' },
  async () => {
    const dataUri = await temporaryDirectory()
    const first = await openServer({ dataUri })
    const words = await writeAndDelete(first.client)
    await first.close()
    expect(await findIn(dataUri, words)).not.toEqual([])
    await startServer({ dataUri, eraseHours })
    await untilGone(dataUri, words)
  },
)

test('while rows are erased, searches find all others', { tags: 'deep' }, async () => {
  const { client } = await startServer({ eraseHours: 1 / 3_600 })
  const store = await makeDatastore(client)
  await upsert(client, store, ...others(500))
  const until = performance.now() + 8_000
  const write = async () => {
    for (let n = 0; performance.now() < until; n++) {
      await upsert(client, store, ...others(30).map(({ text }) => ({ text: `${n} ${text}` })))
      const [gone = ''] = await upsert(client, store, { text: 'The zqgone text.' })
      const path = { id: store, datasourceId: gone }
      await sdk.deleteDatasource({ client, path, throwOnError: true })
    }
  }
  // Of eight rows in sequence, each rewrite of all files moves one first.
  const find = async (shelf: number) => {
    while (performance.now() < until) {
      const asked = { query: `text shelf ${shelf}`, mode: 'keyword' as const, topK: 100 }
      const found = await query(client, store, asked)
      expect(found.map(({ text }) => text)).toContain(`The text of shelf ${shelf}.`)
    }
  }
  await Promise.all([write(), ...Array.from({ length: 8 }, (_, n) => find(200 + n))])
})

test(
  'a few rows of many are off the disk in time, with their labels',
  { tags: 'deep' },
  async () => {
    const dataUri = await temporaryDirectory()
    const { client } = await startServer({ dataUri, eraseHours })
    const store = await makeDatastore(client)
    for (let n = 0; n < 5; n++) await upsert(client, store, ...others(500))
    const [id = ''] = await upsert(client, store, {
      text: 'The zqrare text.',
      metadata: { place: 'zqlabel', custom_id: 'zqcustomer' },
    })
    const labelled = () =>
      findIn(join(dataUri, `fragments_${store}.lance`, '_indices'), ['zqlabel'])
    await expect.poll(labelled, { timeout: 60_000, interval: 200 }).not.toEqual([])
    await sdk.deleteDatasource({
      client,
      path: { id: store, datasourceId: id },
      throwOnError: true,
    })
    await untilGone(dataUri, ['zqrare', 'zqlabel', 'zqcustomer'])
    const [found] = await query(client, store, { query: 'shelf 321', topK: 1 })
    expect(found?.text).toBe('The text of shelf 321.')
    const where = { metadata: { type: 'eq' as const, key: 'shelf', value: 123 } }
    expect(await query(client, store, { query: 'text', topK: 10, filters: where })).toHaveLength(5)
  },
)
