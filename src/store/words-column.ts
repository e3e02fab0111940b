import { readUtf8 } from './read-rows.ts'
import { oneOf } from './filter.ts'
import type { OpenTable } from './open-table.ts'

/** The words of all fragments of these documents. */
export async function wordsOf(table: OpenTable, ids: string[]): Promise<Uint8Array[]> {
  const rows = await table.read((lance) =>
    lance.query().where(oneOf('datasource_id', ids)).select(['words']).toArrow(),
  )
  return readUtf8(rows, 'words')
}

/** Reads the words of all fragments, all of one moment, one batch of them after the other. */
export const scanWords = (
  table: OpenTable,
  each: (batch: Uint8Array[]) => Promise<void>,
): Promise<void> =>
  table.read(async (lance) => {
    for await (const batch of lance.query().select(['words'])) {
      await each(readUtf8(batch, 'words'))
    }
  })
