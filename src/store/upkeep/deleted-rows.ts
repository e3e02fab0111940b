import type { Table } from '@lancedb/lancedb'
import { oneInEight } from '../lance/filter.ts'

/** Whether nothing of what was deleted is in the files of a table. */
export const isErased = async (table: Table): Promise<boolean> =>
  (await table.listVersions()).length === 1 && (await countDeleted(table)) === 0

/** Lets the next compaction write all files again: it does so where more than a tenth is deleted. */
export async function outdateFiles(table: Table): Promise<void> {
  if ((await countDeleted(table)) === 0) return
  // Writes these rows as they are to a new file.
  await table.update({ where: oneInEight, valuesSql: { id: 'id' } })
}

/** How many deleted rows are still in the files of the newest version. */
async function countDeleted(table: Table): Promise<number> {
  const { numRows, fragmentStats } = await table.stats()
  return Math.round(fragmentStats.numFragments * fragmentStats.lengths.mean) - numRows
}
