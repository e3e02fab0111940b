import { MatchQuery, type Table } from '@lancedb/lancedb'
import { readdir, readlink } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { Fragments, tableNameOf } from '../../src/store/fragments/fragments.ts'
import { toTable } from '../../src/store/fragments/rows.ts'
import { Compaction } from '../../src/store/table/compaction.ts'
import { documentVersion } from '../support/document-version.ts'
import { openDatabase, temporaryDirectory } from '../support/server.ts'

const rounds = Number(process.env.DELETED_FILES_ROUNDS ?? 12)
const heldBy = { hold: () => Promise.resolve(), release: () => undefined }

/** A handle's memory goes with its JavaScript object, which a server's own work collects. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** How many files of this directory are open though they are deleted. */
async function countDeletedOpen(directory: string): Promise<number> {
  const descriptors = await readdir('/proc/self/fd')
  const files = await Promise.all(
    descriptors.map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => '')),
  )
  return files.filter((file) => file.startsWith(directory) && file.endsWith('(deleted)')).length
}

/** A table of fragments, and what writes a document to it, merges its files and searches it. */
async function openTable() {
  const directory = await temporaryDirectory()
  const database = await openDatabase(directory)
  onTestFinished(() => database.close())
  const fragments = new Fragments(database)
  await fragments.create('store', 2)
  const table = (await database.openTable(tableNameOf('store')))!
  const compaction = new Compaction(table, heldBy, database.jobs)
  const search = (lance: Table) =>
    lance
      .query()
      .fullTextSearch(new MatchQuery('text', 'words'))
      .select(['id', '_score'])
      .limit(100)
      .toArray()
  const round = async (number: number) => {
    const document = documentVersion(`document-${number}`)
    await table.commit(1, async (lance) => void (await lance.add(toTable([document]))))
    await table.sync()
    await compaction.compact()
    expect(await table.read(search)).toHaveLength(number)
  }
  return { directory, fragments, table, round }
}

test.runIf(process.platform === 'linux')(
  'files that a compaction deletes are let go, and so are those of a table that is dropped',
  { tags: 'deep', timeout: 60_000 + rounds * 5_000 },
  async () => {
    const { directory, fragments, table, round } = await openTable()
    for (let number = 1; number <= rounds; number++) await round(number)
    collectGarbage()
    // Those of the versions that are kept are there.
    await expect.poll(() => countDeletedOpen(directory)).toBeLessThan(8)
    await table.close()
    await fragments.drop('store')
    collectGarbage()
    await expect.poll(() => countDeletedOpen(directory)).toBe(0)
  },
)
