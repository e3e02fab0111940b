import { connect, type Table } from '@lancedb/lancedb'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as sdk from '../../generated/sdk.gen.ts'
import { Fragments } from '../../src/store/fragments/fragments.ts'
import { openDatabase, openServer, startServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const countFiles = async (directory: string, datastoreId: string, folder: string) =>
  (await readdir(join(directory, `fragments_${datastoreId}.lance`, folder))).length

const writes = 100

test(
  'many small writes leave few files, and readers beside them lose nothing',
  { tags: 'deep' },
  async () => {
    const dataUri = await temporaryDirectory()
    const { client, close } = await startServer({ dataUri })
    const id = await makeDatastore(client)
    const [first = ''] = await upsert(client, id, 'The first text stays.')
    let writing = true
    const read = async () => {
      while (writing) {
        const found = await query(client, id, {
          query: 'first',
          filters: { datasource_ids: [first] },
        })
        expect(found.map(({ text }) => text)).toEqual(['The first text stays.'])
      }
    }
    const write = async () => {
      for (let n = 0; n < writes; n++) await upsert(client, id, `Text ${n}.`)
      writing = false
    }
    await Promise.all([write(), read()])
    const { data } = await sdk.getDatastore({ client, path: { id } })
    expect(data?.datasourceCount).toBe(writes + 1)
    // A merger leaves the files of the newest versions from before it to the next one, and where it was
    // slow, all that was written beside it. Without maintenance there is one for each write.
    const filesAfterOneMore = async (folder: string) => {
      await upsert(client, id, 'One more.')
      return countFiles(dataUri, id, folder)
    }
    await expect.poll(() => filesAfterOneMore('data')).toBeLessThan(writes / 2)
    await expect.poll(() => filesAfterOneMore('_versions')).toBeLessThan(writes / 2)
    await close()
  },
)

test('the version that somebody reads stays until it has been read', { tags: 'deep' }, async () => {
  const dataUri = await temporaryDirectory()
  const database = await openDatabase(dataUri)
  await new Fragments(database).create('store', 2)
  const table = await database.openTable('fragments_store')
  const upkeep = database.upkeepOf(table!, {
    hold: () => Promise.resolve(),
    release: () => undefined,
  })
  await upkeep.start()
  const write = (lance: Table) => lance.delete("id = 'none'")
  const commits = async () => {
    for (let n = 0; n < 40; n++) {
      await table!.commit(0, write)
      upkeep.committed(0)
    }
    return countFiles(dataUri, 'store', '_versions')
  }
  const held = Promise.withResolvers<void>()
  const reading = table!.read(() => held.promise)
  expect(await commits()).toBeGreaterThan(40)
  expect(await commits()).toBeGreaterThan(80)
  held.resolve()
  await reading
  await commits()
  await expect.poll(() => countFiles(dataUri, 'store', '_versions')).toBeLessThan(80)
  await upkeep.stop()
  database.close()
})

test('writes that change nothing leave versions to go back to, and what is merged is synced', async () => {
  const dataUri = await temporaryDirectory()
  const { client, close } = await startServer({ dataUri })
  const id = await makeDatastore(client)
  await upsert(client, id, 'The first text.')
  const path = { id, datasourceId: 'src_none' }
  for (let n = 0; n < 60; n++) await sdk.deleteDatasource({ client, path })
  await close()
  expect(await countFiles(dataUri, id, '_versions')).toBeGreaterThan(2)
  expect(await countFiles(dataUri, id, '_versions')).toBeLessThan(20)
})

test('a table of many short lives is kept small, too', { tags: 'deep' }, async () => {
  const dataUri = await temporaryDirectory()
  let id: string | undefined
  for (let life = 0; life < 12; life++) {
    const { client, close } = await startServer({ dataUri })
    id ??= await makeDatastore(client)
    for (let n = 0; n < 6; n++) await upsert(client, id, `Text ${n} of life ${life}.`)
    await close()
  }
  // Without it there are 73 versions and 72 files.
  expect(await countFiles(dataUri, id ?? '', '_versions')).toBeLessThan(50)
  expect(await countFiles(dataUri, id ?? '', 'data')).toBeLessThan(50)
})

/** Enough rows that merging them takes longer than a few changes of them. */
const manyRows = 2_000

test(
  'what is changed all the time is merged all the same, and found by its words',
  { tags: 'deep' },
  async () => {
    const dataUri = await temporaryDirectory()
    const { client, logged } = await startServer({ dataUri })
    const id = await makeDatastore(client)
    const ids: string[] = []
    for (let n = 0; n < manyRows; n += 500) {
      ids.push(
        ...(await upsert(client, id, ...Array.from({ length: 500 }, (_, m) => `Text ${n + m}.`))),
      )
    }
    let turn = 0
    let writing = true
    const change = async (writer: number) => {
      for (; writing; turn++) {
        const body = { id: ids[writer]!, text: `Turn ${turn} of writer ${writer}.` }
        await sdk.updateDatasource({ client, path: { datastoreId: id }, body, throwOnError: true })
      }
    }
    const isMerged = async () => (turn > 60 ? countFiles(dataUri, id, 'data') : Infinity)
    const writers = [change(0), change(1), change(2)]
    // Each change leaves a file until it is merged.
    await expect.poll(isMerged).toBeLessThan(40)
    writing = false
    await Promise.all(writers)
    const [best] = await query(client, id, { query: 'Text 1234.', topK: 1, mode: 'keyword' })
    expect(best?.text).toBe('Text 1234.')
    expect(logged.filter(({ level }) => Number(level) > 30)).toEqual([])
  },
)

test(
  'what an earlier life left out of the index of words is put into it',
  { tags: 'deep' },
  async () => {
    const dataUri = await temporaryDirectory()
    const first = await openServer({ dataUri })
    const id = await makeDatastore(first.client)
    await first.close()
    const connection = await connect(dataUri)
    const unindexed = async () => {
      const table = await connection.openTable(`fragments_${id}`)
      return (await table.indexStats('words_idx'))?.numUnindexedRows
    }
    const some = Array.from({ length: 100 }, (_, n) => `Text ${n}.`)
    const leaveSomeOut = async () => {
      const server = await openServer({ dataUri })
      // Maintenance begins with the first and rests when the second comes, as a rule.
      await upsert(server.client, id, ...some)
      await upsert(server.client, id, ...some)
      await server.close()
      return unindexed()
    }
    await expect.poll(leaveSomeOut).toBeGreaterThan(0)
    const second = await openServer({ dataUri })
    await query(second.client, id, { query: 'Text' })
    await expect.poll(unindexed).toBe(0)
    await second.close()
  },
)
