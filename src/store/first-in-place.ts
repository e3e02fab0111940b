import type { Query, VectorQuery } from '@lancedb/lancedb'
import type { Data, RecordBatch, Utf8 } from 'apache-arrow'
import { Best } from './best.ts'
import type { FragmentPlace } from './hits.ts'

/** Of 30,000 that are alike it takes some 30 ms, more than half of that in LanceDB. */
const mostAlike = 100_000

/** Where a row stands in its datastore, and in the table. */
type Placed = FragmentPlace & { address: bigint }

/**
 * The `limit` best of all that a search by words finds, and of equal ones those that stand first, as far as
 * they are among 100,000. Objects of all rows, and strings as UTF-8, would take four times as long here.
 */
export async function firstInPlace(
  search: Query | VectorQuery,
  limit: number,
): Promise<Best<Placed>> {
  const best = new Best<Placed>(limit)
  const all = search.limit(mostAlike).select(['datasource_id', 'position']).withRowId()
  for await (const batch of all) {
    const values = columnOf(batch, '_score').values as Float32Array
    const idAt = asciiOf(columnOf(batch, 'datasource_id') as Data<Utf8>)
    const positions = columnOf(batch, 'position').values as Int32Array
    const addresses = columnOf(batch, '_rowid').values as BigUint64Array
    for (let row = 0; row < batch.numRows; row++) {
      const value = values[row]!
      // The best come first.
      if (!best.mayTake(value)) return best
      const place = { datasourceId: idAt(row), position: positions[row]! }
      best.offer({ ...place, address: addresses[row]! }, value)
    }
  }
  return best
}

const columnOf = ({ schema, data }: RecordBatch, column: string): Data =>
  data.children[schema.fields.findIndex(({ name }) => name === column)]!

function asciiOf({ values, valueOffsets }: Data<Utf8>): (row: number) => string {
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  return (row) => bytes.toString('latin1', valueOffsets[row], valueOffsets[row + 1])
}
