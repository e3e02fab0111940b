import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Deadline } from '../../src/process/deadline.ts'
import { isValidKey, Keys, textOfKey } from '../../src/domain/keys.ts'
import type { Database } from '../../src/store/database/database.ts'
import { documentVersion } from '../support/document-version.ts'
import { Fragments } from '../../src/store/fragments/fragments.ts'
import { withLease } from '../../src/store/records/lease.ts'
import { RecordTable } from '../../src/store/records/records.ts'
import type { Document } from '../../src/store/fragments/documents.ts'
import { openDatabase, temporaryDirectory } from '../support/server.ts'

/** Several servers on one store, as on an object store: an address, not a path, takes no lock. */
async function connections(count: number): Promise<Database[]> {
  const address = pathToFileURL(await temporaryDirectory()).href
  return Promise.all(Array.from({ length: count }, () => openDatabase(address)))
}

test('servers that start together make one first key', { tags: 'deep' }, async () => {
  for (let round = 0; round < 5; round++) {
    const databases = await connections(3)
    const records = await Promise.all(
      databases.map((one) => RecordTable.open(one, 'keys', isValidKey, textOfKey)),
    )
    const made = await Promise.all(records.map((one) => new Keys(one).ensureFirst(undefined)))
    const printed = made.filter((key) => key !== undefined)
    expect(printed).toHaveLength(1)
    for (const one of records) {
      expect(await one.ids()).toEqual(['initial'])
      expect(await new Keys(one).verify(printed[0] ?? '')).toMatchObject({ workspace: 'default' })
    }
  }
})

test('what another server changes is seen within five seconds, what it makes at once', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1)
  onTestFinished(() => clock.mockRestore())
  const [here, there] = await connections(2)
  const mine = await RecordTable.open<string>(here!, 'things')
  const theirs = await RecordTable.open<string>(there!, 'things')
  expect(await mine.recall('a', 'default')).toBeUndefined()
  const made = await theirs.insert('a', 'default', 'first')
  const value = async () => (await mine.recall('a', 'default'))?.value
  expect(await value()).toBe('first')
  await theirs.replace(made!, 'second')
  expect(await value()).toBe('first')
  clock.mockReturnValue(1 + 5_001)
  // The cache looks at the clock once a millisecond.
  await expect.poll(value).toBe('second')
})

test('a server sees at once what it makes or changes, also where it had looked before', async () => {
  const [database] = await connections(1)
  const records = await RecordTable.open<string>(database!, 'things')
  expect(await records.recall('a', 'default')).toBeUndefined()
  const made = await records.insert('a', 'default', 'first')
  expect((await records.recall('a', 'default'))?.value).toBe('first')
  const changed = await records.replace(made!, 'second')
  expect((await records.recall('a', 'default'))?.value).toBe('second')
  expect(await records.replace(made!, 'third')).toBeUndefined()
  expect(await records.remove(changed!)).toBe(true)
  expect(await records.recall('a', 'default')).toBeUndefined()
})

test('documents that several servers add once are there once', { tags: 'deep' }, async () => {
  const databases = await connections(4)
  await new Fragments(databases[0]!).create('store', 2)
  const tables = await Promise.all(databases.map((one) => new Fragments(one).of('store')))
  const document = (batch: string, index: number, digest: string): Document => ({
    id: batch + index,
    key: null,
    batch,
    name: '',
    metadata: null,
    pages: null,
    encoding: null,
    source: '',
    customIds: [],
    digest,
    fragments: [0, 5].map((offset) => ({
      offset,
      text: 'Text.',
      words: Buffer.from('some words'),
      vector: new Float32Array([1, 0]),
    })),
  })
  for (let round = 0; round < 10; round++) {
    const batch = `src_${round}_`
    const digests = await Promise.all(
      tables.map((table, server) => {
        const digest = server % 2 === 0 ? 'even' : 'odd'
        const documents = [document(batch, 0, digest), document(batch, 1, digest)]
        return table.writes.addOnce(documents, new Deadline(60))
      }),
    )
    expect(new Set(digests).size).toBe(1)
    expect(await tables[0]?.counts()).toEqual({
      datasources: 2 * (round + 1),
      fragments: 4 * (round + 1),
    })
  }
})

test('a lease is held by one server at a time, also where all ask in the same millisecond', async () => {
  const databases = await connections(3)
  const records = await Promise.all(databases.map((one) => RecordTable.open<object>(one, 'things')))
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
  onTestFinished(() => clock.mockRestore())
  let holders = 0
  const work = async () => {
    expect(++holders).toBe(1)
    // Time for the others to be refused.
    for (let read = 0; read < 20; read++) await records[0]!.ids()
    holders -= 1
  }
  await Promise.all(records.map((one) => withLease({ records: one, id: 'a', value: {} }, work)))
  expect(await records[0]!.ids()).toEqual([])
})

test(
  'the lease of a server that died passes on after half a minute',
  { tags: 'deep' },
  async () => {
    const [here, there] = await connections(2)
    const dead = await RecordTable.open<object>(there!, 'things')
    await dead.insert('a', 'default', {})
    const records = await RecordTable.open<object>(here!, 'things')
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 5_000))
    onTestFinished(() => clock.mockRestore())
    const work = vi.fn(async (signal: AbortSignal) => expect(signal.aborted).toBe(false))
    await withLease({ records, id: 'a', value: {} }, work)
    expect(work).toHaveBeenCalledOnce()
    expect(await dead.ids()).toEqual([])
  },
)

test(
  'a document that several servers put at once is one of theirs, whole',
  { tags: 'deep' },
  async () => {
    const databases = await connections(4)
    await new Fragments(databases[0]!).create('put', 2)
    const tables = await Promise.all(databases.map((one) => new Fragments(one).of('put')))
    for (let round = 0; round < 10; round++) {
      const id = `src_${round}`
      await Promise.all(
        tables.map((table, server) => {
          const version = documentVersion(id)
          const [fragment] = version.fragments
          const fragments = Array.from({ length: server + 1 }, () => fragment!)
          const document = { ...version, name: `${server}`, key: id, fragments }
          return table.writes.put([document], () => undefined, new Deadline(60))
        }),
      )
      const stored = await tables[round % 4]!.read(id)
      expect(stored?.pieces).toHaveLength(Number(stored?.info.name) + 1)
      expect(stored?.info).toMatchObject({ key: id, fragmentCount: stored?.pieces.length })
      expect((await tables[0]!.counts()).datasources).toBe(round + 1)
    }
  },
)
