import { connect, type Table } from '@lancedb/lancedb'
import { currentFormat } from '../../../src/store/formats/formats.ts'
import { packedStore } from './packed-store.ts'

export const { holders, contents, contentsOn, unpack } = packedStore(3)
export const [[library = '', embedded = ''], [manuals = '']] = holders.map(
  ({ datastores }) => datastores,
) as [string[], string[]]

/** A token that no text has, and a vector that no text has: what an upgrade has to replace. */
export const staleToken = 'staletoken'
const staleVector = Array.from({ length: 1024 }, (_, n) => (n === 0 ? 1 : 0))

/** A copy of the store in a new directory, whose words and built-in vectors are marked. */
export async function oldStore(): Promise<string> {
  const directory = await unpack()
  for (const id of [library, embedded, manuals]) {
    await withTable(directory, `fragments_${id}`, async (table) => {
      await table.update({ valuesSql: { words: `concat(words, ' ${staleToken}')` } })
      if (id !== embedded) await table.update({ values: { vector: staleVector } })
    })
  }
  return directory
}

/** How many rows of a datastore are as they were before the upgrade, in one way or another. */
export const staleRows = (directory: string, id: string): Promise<number> =>
  withTable(directory, `fragments_${id}`, async (table) => {
    const { fields } = await table.schema()
    if (!fields.some(({ name }) => name === 'format')) return table.countRows()
    const rows = await table.query().select(['format', 'words', 'vector']).toArray()
    return rows.filter(
      ({ format: of, words, vector }) =>
        of !== currentFormat ||
        words.includes(staleToken) ||
        (vector.get(0) === 1 && vector.length === 1024),
    ).length
  })

/** The format that the store says it has. */
export const formatOf = (directory: string): Promise<unknown> =>
  withTable(directory, 'store', async (table) => {
    const rows = await table.query().where("id = 'format'").toArray()
    return JSON.parse(rows[0].value)
  })

export async function withTable<T>(
  directory: string,
  name: string,
  work: (table: Table) => Promise<T>,
): Promise<T> {
  const connection = await connect(directory)
  const table = await connection.openTable(name)
  try {
    return await work(table)
  } finally {
    table.close()
    connection.close()
  }
}
