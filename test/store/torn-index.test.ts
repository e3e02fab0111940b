import { connect } from '@lancedb/lancedb'
import { readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { openServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'
import { copyOf } from '../support/whole-store.ts'

const texts = ['The heron waits.', 'The otter swims.', 'The badger digs.']

/** A closed store of those texts, and where the index of their words is kept. */
async function closedStore() {
  const dataUri = await temporaryDirectory()
  const { client, close } = await openServer({ dataUri })
  const id = await makeDatastore(client)
  await upsert(client, id, ...Array.from({ length: 100 }, (_, n) => `Filler ${n}.`), ...texts)
  const indexes = join(dataUri, `fragments_${id}.lance`, '_indices')
  // The one that is made with the table, and the one that holds the texts.
  await expect.poll(async () => (await readdir(indexes)).length).toBeGreaterThan(1)
  await close()
  return { directory: dataUri, id }
}

const damages: [string, (file: string) => Promise<void>][] = [
  ['emptied', (file) => truncate(file, 0)],
  ['cut in half', async (file) => truncate(file, Math.floor((await stat(file)).size / 2))],
  ['removed', (file) => rm(file)],
  ['full of zeros', async (file) => writeFile(file, Buffer.alloc((await stat(file)).size))],
]

let small: ReturnType<typeof closedStore> | undefined

test.each(damages)(
  'an index of words whose files are %s is made again',
  { tags: 'deep' },
  async (_, damage) => {
    const { directory, id } = await (small ??= closedStore())
    const dataUri = await copyOf(directory)
    const indexes = join(dataUri, `fragments_${id}.lance`, '_indices')
    const files = await readdir(indexes, { recursive: true, withFileTypes: true })
    for (const file of files) if (file.isFile()) await damage(join(file.parentPath, file.name))
    const { client, close, logged } = await openServer({ dataUri })
    for (const text of texts) {
      const [best] = await query(client, id, { query: text, topK: 1, mode: 'keyword' })
      expect(best?.text).toBe(text)
    }
    await upsert(client, id, 'The weasel hides.')
    const [best] = await query(client, id, { query: 'weasel', mode: 'keyword' })
    expect(best?.text).toBe('The weasel hides.')
    // Nothing but the index was lost, so that no version had to be given up.
    expect(logged.filter(({ level }) => Number(level) > 30)).toEqual([])
    await close()
  },
)

/** A closed store of many texts, which are searched by indexes of their vectors and ids, too. */
async function largeStore() {
  const dataUri = await temporaryDirectory()
  const { client, close } = await openServer({ dataUri })
  const id = await makeDatastore(client)
  for (let n = 0; n < 2_500; n += 500) {
    await upsert(client, id, ...Array.from({ length: 500 }, (_, m) => `Filler ${n + m}.`))
  }
  const ids = await upsert(client, id, ...texts)
  const folder = join(dataUri, `fragments_${id}.lance`)
  await expect.poll(() => indexedColumns(dataUri, id)).toHaveLength(5)
  await close()
  return { dataUri, id, ids, indexes: join(folder, '_indices') }
}

/** Each way damages so many files at once, one of each index, unless each of all files is asked for alone. */
const isDeep = process.env.TORN_INDEX_FILES === 'all'

/** Only its copies are damaged. */
let large: ReturnType<typeof largeStore> | undefined

async function indexedColumns(dataUri: string, id: string): Promise<string[]> {
  const connection = await connect(dataUri)
  const table = await connection.openTable(`fragments_${id}`)
  const columns = (await table.listIndices()).flatMap((index) => index.columns)
  connection.close()
  return columns
}

test.each(damages.map(([name, damage], index) => ({ name, damage, index })))(
  'any file of the indexes of a large table may be $name',
  { tags: 'deep', timeout: 300_000 },
  async ({ damage, index: turn }) => {
    const { dataUri, id, ids, indexes } = await (large ??= largeStore())
    const folders = await readdir(indexes)
    const files = await Promise.all(folders.map((folder) => filesIn(join(indexes, folder))))
    const rounds = isDeep
      ? files.flat().map((file) => [file])
      : [files.flatMap((all) => all[turn % all.length] ?? [])]
    for (const round of rounds) {
      const copy = await copyOf(dataUri)
      for (const file of round) await damage(join(copy, relative(dataUri, file)))
      const { client, close, logged } = await openServer({ dataUri: copy })
      for (const [index, text] of texts.entries()) {
        for (const mode of ['vector', 'keyword'] as const) {
          const [best] = await query(client, id, { query: text, topK: 1, mode })
          expect(best?.text).toBe(text)
          const filters = { datasource_ids: [ids[index]!] }
          const [only, ...others] = await query(client, id, { query: text, mode, filters })
          expect([only?.text, others]).toEqual([text, []])
        }
      }
      await expect.poll(() => indexedColumns(copy, id)).toHaveLength(5)
      expect(logged.filter(({ level }) => Number(level) > 30)).toEqual([])
      await close()
      await rm(copy, { recursive: true, maxRetries: 20 })
    }
  },
)

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
}
