import type { Table } from '@lancedb/lancedb'
import { makeIndexes } from '../indexes/fragment-indexes.ts'

export type Job =
  /** Merges files, brings indexes up to date, and deletes older versions; the time is in ms since 1970. */
  | { kind: 'compact'; olderThan: number }
  /** Makes the indexes that only a large table needs, where they are due. */
  | { kind: 'index' }

export async function doJob(table: Table, job: Job): Promise<void> {
  if (job.kind === 'index') await makeIndexes(table)
  else await table.optimize({ cleanupOlderThan: new Date(job.olderThan) })
}
