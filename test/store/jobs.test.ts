import { connect } from '@lancedb/lancedb'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Client } from '../../generated/client/index.ts'
import { childrenOf } from '../support/children.ts'
import { openServer, temporaryDirectory } from '../support/server.ts'
import { makeDatastore, query, upsert } from '../support/things.ts'

/** A table with more than 10,000 rows is worked on by another process. */
const [minDocuments, documentsAnUpsert] = [11_000, 100]

const textOf = (number: number): string => `Text ${number}, of ${number % 7} and ${number % 11}.`

/** What is written while a table is small enough may be all kept up here, so more is until `isOver`. */
async function storeMany(client: Client, id: string, isOver: () => boolean): Promise<void> {
  for (let start = 0; start < minDocuments || !isOver(); start += documentsAnUpsert) {
    const texts = Array.from({ length: documentsAnUpsert }, (_, n) => textOf(start + n))
    await upsert(client, id, ...texts)
  }
}

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
  async () => {
    const dataUri = await temporaryDirectory()
    const server = await openServer({ dataUri })
    onTestFinished(server.close)
    const id = await makeDatastore(server.client)
    let isOver = false
    onTestFinished(() => void (isOver = true))
    const stored = storeMany(server.client, id, () => isOver)
    const processes = () => jobProcessesOf(dataUri)
    const patience = { interval: 5, timeout: 200_000 }
    const first = await vi.waitUntil(async () => (await processes())[0], patience)
    expect(await scratchFolders(dataUri)).toHaveLength(1)
    process.kill(first, 'SIGKILL')
    const another = async () => (await processes()).find((child) => child !== first)
    const other = await vi.waitUntil(another, patience)
    isOver = true
    await stored
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
    for (const number of [0, 5_000, 10_999]) {
      const [best] = await query(server.client, id, { query: textOf(number), topK: 1 })
      expect(best?.text).toBe(textOf(number))
    }
    await server.close()
    await expect.poll(() => [...others].some(isThere)).toBe(false)
    expect(await scratchFolders(dataUri)).toEqual([])
  },
  600_000,
)
