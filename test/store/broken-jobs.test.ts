import { cp, mkdir, readdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { removeAllLeftovers } from '../../src/store/disk/leftovers.ts'
import { openServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

const texts = ['The heron waits.', 'The otter swims.', 'The badger digs.']

let made: string
let id: string

beforeAll(async () => {
  made = await temporaryDirectory()
  const { client, close } = await openServer({ dataUri: made })
  id = await makeDatastore(client)
  for (const text of texts) await upsert(client, id, text)
  const indexes = join(made, `fragments_${id}.lance`, '_indices')
  await vi.waitUntil(async () => (await readdir(indexes)).length > 1, 60_000)
  await close()
})

/** A closed store of those texts, whose index of words was made twice. */
async function closedStore() {
  const dataUri = await temporaryDirectory()
  await cp(made, dataUri, { recursive: true })
  return { dataUri, folder: join(dataUri, `fragments_${id}.lance`) }
}

const filesOf = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

/** What is left of a job that ended while it wrote, and between two files. @returns the files */
async function leave(folder: string, isMarked: boolean): Promise<string[]> {
  const names = await readdir(join(folder, 'data'))
  const data = names.find((name) => !name.startsWith('.')) ?? ''
  const index = join(folder, '_indices', '6f1c3f60-53a5-4b52-9b0c-0f2f1f4f3b11')
  await mkdir(index)
  const files = [
    join(folder, 'data', '.tmpA1b2C3'),
    join(folder, 'data', `${data.slice(0, -10)}abcde.lance`),
    join(index, 'part_0_invert.lance'),
    join(index, '.tmpD4e5F6'),
  ]
  for (const file of files) await cp(join(folder, 'data', data), file)
  if (isMarked) await writeFile(join(folder, '.tmp-job'), '')
  return files
}

const start = async (dataUri: string) => {
  const { client, close, logged } = await openServer({ dataUri })
  for (const text of texts) {
    const [best] = await query(client, id, { query: text, topK: 1 })
    expect(best?.text).toBe(text)
  }
  await close()
  return logged.filter(({ level }) => Number(level) > 30)
}

test.each([
  ['a job', true],
  ['a job of an earlier version, which marked nothing,', false],
])(
  'what %s left that was broken off is removed by the next start, and nothing else',
  async (_, isMarked) => {
    const { dataUri, folder } = await closedStore()
    const left = await leave(folder, isMarked)
    expect(await start(dataUri)).toEqual([])
    expect(new Set(await filesOf(folder)).intersection(new Set(left))).toEqual(new Set())
  },
)

test('the files of a version that a power cut has torn stay until it is given up', async () => {
  const { dataUri, folder } = await closedStore()
  const left = new Set(await leave(folder, true))
  const [newest = ''] = (await readdir(join(folder, '_versions'))).toSorted()
  await truncate(join(folder, '_versions', newest), 0)
  const leftBehind = async () => new Set(await filesOf(folder)).intersection(left)
  await removeAllLeftovers(dataUri)
  expect((await leftBehind()).size).toBeGreaterThan(0)
  await start(dataUri)
  await removeAllLeftovers(dataUri)
  expect(await leftBehind()).toEqual(new Set())
  expect(await start(dataUri)).toEqual([])
})
