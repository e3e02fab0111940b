import type { Table } from '@lancedb/lancedb'
import { oneInEight } from '../lance/filter.ts'

export const isErased = async (table: Table): Promise<boolean> =>
  (await table.listVersions()).length === 1 && (await countDeleted(table)) === 0

/** Makes the next compaction rewrite all files: it rewrites those with more than a tenth deleted. */
export async function outdateFiles(table: Table): Promise<void> {
  if ((await countDeleted(table)) === 0) return
  // Writes these rows unchanged to a new file.
  await table.update({ where: oneInEight, valuesSql: { id: 'id' } })
}

async function countDeleted(table: Table): Promise<number> {
  const { numRows, fragmentStats } = await table.stats()
  return Math.round(fragmentStats.numFragments * fragmentStats.lengths.mean) - numRows
}
