import type { Table } from '@lancedb/lancedb'
import { oneInEight } from '../lance/filter.ts'
import { makeIndexes, rebuildScalarIndexes } from '../lance/fragment-indexes.ts'
import { makeWordIndex } from '../lance/search-indexes.ts'

export type Job =
  /** Merges files, updates indexes, deletes versions before `olderThan` (ms). `erases` also drops deleted rows. */
  | { kind: 'compact'; olderThan: number; erases?: boolean }
  /** Makes the indexes that are missing or slow. */
  | { kind: 'index' }
  | { kind: 'words' }

export async function doJob(table: Table, job: Job): Promise<void> {
  if (job.kind === 'index') return makeIndexes(table)
  if (job.kind === 'words') {
    await makeWordIndex(table)
    // A search that leaves recent rows to memory misses those that an index of its filters lacks.
    return rebuildScalarIndexes(table)
  }
  if (job.erases) await outdateFiles(table)
  await table.optimize({ cleanupOlderThan: new Date(job.olderThan) })
  if (job.erases) await rebuildScalarIndexes(table)
}

/** Whether no version holds a deleted row. */
export const isErased = async (table: Table): Promise<boolean> =>
  (await table.listVersions()).length === 1 && (await countDeleted(table)) === 0

/** Makes the next compaction rewrite all files: it rewrites those with more than a tenth deleted. */
async function outdateFiles(table: Table): Promise<void> {
  if ((await countDeleted(table)) === 0) return
  // Writes these rows unchanged to a new file.
  await table.update({ where: oneInEight, valuesSql: { id: 'id' } })
}

async function countDeleted(table: Table): Promise<number> {
  const { numRows, fragmentStats } = await table.stats()
  return Math.round(fragmentStats.numFragments * fragmentStats.lengths.mean) - numRows
}
