import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import * as sdk from '../../../generated/sdk.gen.ts'
import { digestOf } from '../../../src/domain/ids.ts'
import { addRows } from '../../../src/store/fragments/fragment-change.ts'
import { fragmentSchema, toTable, toTableInSlices } from '../../../src/store/fragments/rows.ts'
import { searching, TimeSlice, WriteSlice } from '../../../src/process/time-slice.ts'
import { documentVersion } from '../../support/document-version.ts'
import { openDatabase, startServer, temporaryDirectory } from '../../support/server.ts'
import { makeDatastore, query, upsert } from '../../support/things.ts'

/** Long work is done in steps that are short whatever the texts are, and others may go first after each. */

afterEach(() => vi.restoreAllMocks())

const watchPauses = () => vi.spyOn(TimeSlice.prototype, 'pause')

const linesOf = (rows: unknown[]): string[] => rows.map((row) => JSON.stringify(row))

/** One document after the other, each of so many rows. */
function versionsOf(...counts: number[]) {
  return counts.map((count, index) => {
    const version = documentVersion(`src_${index}`)
    const [fragment] = version.fragments
    const fragments = Array.from({ length: count }, (_, position) => ({
      ...fragment!,
      offset: position,
      text: `text ${index} ${position} 👩‍🔬 é`,
      words: Buffer.from(`text ${position}`),
    }))
    return { ...version, fragments }
  })
}

describe('the rows of documents', () => {
  test.each([[1], [127], [128], [129], [500, 1, 300], Array.from({ length: 300 }, () => 1)])(
    'are made in batches, and are those that are made at once (fragments: %i)',
    async (...counts) => {
      const pauses = watchPauses()
      const versions = versionsOf(...counts.flat())
      const table = await toTableInSlices(versions)
      const steps = Math.ceil(table.numRows / 128)
      expect(table.batches).toHaveLength(steps)
      // Labels are made once a document, rows once a batch.
      expect(pauses).toHaveBeenCalledTimes(versions.length + steps)
      expect(Math.max(...table.batches.map(({ numRows }) => numRows))).toBeLessThanOrEqual(128)
      expect(linesOf(table.toArray())).toEqual(linesOf(toTable(versions).toArray()))
    },
  )

  test('of many tokens are made in smaller batches', async () => {
    const [version] = versionsOf(100)
    const words = Buffer.from('tokens '.repeat(10_000))
    const fragments = version!.fragments.map((fragment) => ({ ...fragment, words }))
    const { batches } = await toTableInSlices([{ ...version!, fragments }])
    expect(batches.reduce((sum, { numRows }) => sum + numRows, 0)).toBe(100)
    expect(batches.map(({ numRows }) => numRows)).toEqual([30, 30, 30, 10])
  })

  test.each([10, 1_024, 1_025, 3_000])(
    'are added in one commit, however many (%i)',
    async (count) => {
      const database = await openDatabase(await temporaryDirectory())
      const versions = versionsOf(count)
      const { length } = versions[0]!.fragments[0]!.vector
      const table = await database.createTable('rows', fragmentSchema(length))
      const version = (): Promise<number> => table.read((lance) => lance.version())
      const before = await version()
      await table.commit(count, async (lance) => addRows(lance, await toTableInSlices(versions)))
      expect(await version()).toBe(before + 1)
      const stored = await table.read((lance) => lance.query().toArrow())
      expect(linesOf(stored.toArray())).toEqual(linesOf(toTable(versions).toArray()))
      await table.close()
      database.close()
    },
  )

  test('are put together step by step where they are many', async () => {
    const rows = await toTableInSlices(versionsOf(1_500))
    const pauses = watchPauses()
    const added: Buffer[] = []
    const inner = { add: async (file: Buffer) => added.push(file) }
    await addRows({ inner } as never, rows)
    expect(added).toHaveLength(1)
    expect(pauses.mock.calls.length).toBeGreaterThan(2 * rows.batches.length)
  })
})

describe('the digest of documents', () => {
  const sha256 = (value: unknown) =>
    createHash('sha256').update(JSON.stringify(value)).digest('hex')
  const texts = ['a', 'b"', '\u2028', '鍵'.repeat(1_000)]

  test.each([0, 1, 2, 4])(
    'is that of one array, made one by one (documents: %i)',
    async (count) => {
      const pauses = watchPauses()
      const documents = texts.slice(0, count).map((text) => ({ text, metadata: { b: 1, a: [2] } }))
      const parts = (metadata: object) => documents.map(({ text }) => [text, '', metadata])
      expect(await digestOf(documents)).toBe(sha256(parts({ a: [2], b: 1 })))
      expect(pauses).toHaveBeenCalledTimes(count)
    },
  )
})

test('a slice of one write after the other waits while something is searched', async () => {
  const search = Promise.withResolvers<void>()
  const searched = searching(() => search.promise)
  const slices = Array.from({ length: 3 }, () => new WriteSlice())
  const began = performance.now()
  while (performance.now() < began + 5);
  const pauses = slices.map(async (slice) => {
    await slice.pause()
    return performance.now() - began
  })
  const waited = await Promise.all(pauses)
  for (const [index, milliseconds] of waited.entries()) {
    expect(milliseconds).toBeGreaterThan(18 * (index + 1))
  }
  search.resolve()
  await searched
})

test(
  'an upsert of thousands of fragments is stored whole and found',
  { tags: 'deep' },
  async () => {
    const { client } = await startServer()
    const id = await makeDatastore(client)
    const sentence = (n: number) =>
      `Sentence ${n} tells of river ${n % 97} and of copper ${n % 89}. `
    const texts = ['lantern', 'orchard', 'harbour'].map((word, index) =>
      `The ${word}. ${Array.from({ length: 18_000 }, (_, n) => sentence(n + index)).join('')}`.trim(),
    )
    const ids = await upsert(client, id, ...texts)
    for (const [index, datasourceId] of ids.entries()) {
      const { data } = await sdk.getDatasource({
        client,
        path: { id, datasourceId },
        throwOnError: true,
      })
      expect(data.text).toBe(texts[index])
    }
    const [first] = await query(client, id, { query: 'orchard' })
    expect(first?.datasource_id).toBe(ids[1])
  },
)
