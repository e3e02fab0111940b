import type { Table } from '@lancedb/lancedb'
import { makeIndexes, renewLabelIndexes } from '../indexes/fragment-indexes.ts'
import { outdateFiles } from './deleted-rows.ts'

export type Job =
  /**
   * Merges files, brings indexes up to date, and deletes older versions; the time is in ms since 1970.
   * `erases` leaves nothing of deleted rows in the newest version.
   */
  | { kind: 'compact'; olderThan: number; erases?: boolean }
  /** Makes the indexes that only a large table needs, where they are due. */
  | { kind: 'index' }

export async function doJob(table: Table, job: Job): Promise<void> {
  if (job.kind === 'index') return makeIndexes(table)
  if (job.erases) await outdateFiles(table)
  await table.optimize({ cleanupOlderThan: new Date(job.olderThan) })
  if (job.erases) await renewLabelIndexes(table)
}
