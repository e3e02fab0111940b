import { readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

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
  return { dataUri, id, indexes }
}

const damages: [string, (file: string) => Promise<void>][] = [
  ['emptied', (file) => truncate(file, 0)],
  ['cut in half', async (file) => truncate(file, Math.floor((await stat(file)).size / 2))],
  ['removed', (file) => rm(file)],
]

test.each(damages)('an index of words whose files are %s is made again', async (_, damage) => {
  const { dataUri, id, indexes } = await closedStore()
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
})
