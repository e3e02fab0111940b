import { connect } from '@lancedb/lancedb'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { recordSchema } from '../../src/store/records/record-rows.ts'
import { Background } from '../../src/store/table/background.ts'
import { childrenOf } from '../support/children.ts'
import { largeStore } from '../support/large-store.ts'
import { openDatabase, openServer, temporaryDirectory } from '../support/server.ts'
import { query, upsert } from '../support/things.ts'

test('work that outlives the store opens no table, because LanceDB would end the process', async () => {
  const database = await openDatabase(await temporaryDirectory())
  const table = await database.ensureTable('things', recordSchema)
  database.close()
  await expect(table.open()).rejects.toThrow('The store is closed.')
  await table.refresh()
})

const texts = ['The heron waits.', 'The otter swims.', 'The badger digs.']

/** That another store's is ending may take a while. */
async function jobProcessesOf(dataUri: string): Promise<number[]> {
  const commands = await Promise.all(
    childrenOf(process.pid).map(async (child) => ({
      child,
      command: await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => ''),
    })),
  )
  return commands
    .filter(({ command }) => command.includes('job-main') && command.includes(dataUri))
    .map(({ child }) => child)
}

/** One that nobody has asked about yet is listed though it is gone. */
const isThere = (pid: number): boolean => {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const scratchFolders = async (dataUri: string): Promise<string[]> =>
  (await readdir(join(dataUri, 'scratch')).catch((): string[] => [])).filter((name) =>
    name.startsWith('job-'),
  )

test.runIf(process.platform === 'linux')(
  'a large datastore is kept up by another process, which may die, and ends with the server',
  { tags: 'deep', timeout: 600_000 },
  async () => {
    // A table with more than 10,000 rows is worked on by another process.
    const { dataUri, id, database, addLast } = await largeStore(texts, 12_000)
    await addLast()
    database.close()
    // What failed is left alone for some seconds.
    const { rest } = Background.prototype
    vi.spyOn(Background.prototype, 'rest').mockImplementation(function (this: Background, time) {
      rest.call(this, time / 100)
    })
    onTestFinished(() => void vi.restoreAllMocks())
    const server = await openServer({ dataUri })
    onTestFinished(server.close)
    await upsert(server.client, id, 'The weasel hides.')
    const processes = () => jobProcessesOf(dataUri)
    const patience = { interval: 5, timeout: 200_000 }
    const first = await vi.waitUntil(async () => (await processes())[0], patience)
    expect(await scratchFolders(dataUri)).toHaveLength(1)
    process.kill(first, 'SIGKILL')
    const another = async () => (await processes()).find((child) => child !== first)
    const other = await vi.waitUntil(another, patience)
    const connection = await connect(dataUri)
    const others = new Set([other])
    const unindexed = async () => {
      for (const child of await processes()) others.add(child)
      const table = await connection.openTable(`fragments_${id}`)
      const indexes = await table.listIndices()
      return indexes.map(({ numUnindexedRows }) => numUnindexedRows)
    }
    // Those of words, of vectors, and of three columns, all by another one.
    await expect.poll(unindexed).toEqual([0, 0, 0, 0, 0])
    others.delete(first)
    for (const text of [...texts, 'The weasel hides.']) {
      const [best] = await query(server.client, id, { query: text, topK: 1 })
      expect(best?.text).toBe(text)
    }
    await server.close()
    await expect.poll(() => [...others].some(isThere)).toBe(false)
    expect(await scratchFolders(dataUri)).toEqual([])
  },
)
