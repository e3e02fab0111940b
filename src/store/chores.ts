import type { Table } from '@lancedb/lancedb'
import { makeColumnIndexes } from './column-indexes.ts'
import { refreshVectorIndex } from './vector-index.ts'
import { makeWordIndex } from './word-index.ts'

/** What is done to a table beside its reads and writes, and takes the longer the larger it is. */
export type Chore =
  /** Merges files, brings indexes up to date, and deletes versions begun before that, in milliseconds. */
  | { kind: 'merge'; olderThan: number }
  /** Brings the index of words up to date. */
  | { kind: 'words' }
  /** Makes what other indexes are missing. */
  | { kind: 'columns' }
  /** Makes that of vectors where it is missing or has grown slow. */
  | { kind: 'vectors' }

/** @returns whether there was anything to be done */
export async function doChore(table: Table, chore: Chore): Promise<boolean> {
  if (chore.kind === 'columns') return makeColumnIndexes(table)
  if (chore.kind === 'vectors') return refreshVectorIndex(table)
  if (chore.kind === 'words') await makeWordIndex(table)
  else await table.optimize({ cleanupOlderThan: new Date(chore.olderThan) })
  return true
}
