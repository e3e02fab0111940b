import { connect, type Table } from '@lancedb/lancedb'
import { addedColumns } from '../../../src/store/fragments/formats.ts'
import { packedStore } from './packed-store.ts'

/** A store of the oldest format that is upgraded, and what it held. */
export const { holders, contents, contentsOn, unpack } = packedStore(5)
export const [[library = '', embedded = ''], [manuals = '']] = holders.map(
  ({ datastores }) => datastores,
) as [string[], string[]]

/** How many columns of the current format the table of a datastore lacks. */
export const lackingColumns = (directory: string, id: string): Promise<number> =>
  withTable(directory, `fragments_${id}`, async (table) => {
    const { fields } = await table.schema()
    return addedColumns.filter((added) => fields.every(({ name }) => name !== added.name)).length
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
