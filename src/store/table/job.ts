import type { Table } from '@lancedb/lancedb'
import { makeIndexes, rebuildScalarIndexes } from '../lance/fragment-indexes.ts'
import { makeWordIndex } from '../lance/search-indexes.ts'
import { outdateFiles } from './deleted-rows.ts'

export type Job =
  /** Merges files, updates indexes, deletes versions before `olderThan` (ms). `erases` also drops deleted rows. */
  | { kind: 'compact'; olderThan: number; erases?: boolean }
  /** Makes the indexes that are missing or slow. */
  | { kind: 'index' }
  | { kind: 'words' }

export async function doJob(table: Table, job: Job): Promise<void> {
  if (job.kind === 'index') return makeIndexes(table)
  if (job.kind === 'words') return makeWordIndex(table)
  if (job.erases) await outdateFiles(table)
  await table.optimize({ cleanupOlderThan: new Date(job.olderThan) })
  if (job.erases) await rebuildScalarIndexes(table)
}
