import type { Table } from '@lancedb/lancedb'
import { areColumnIndexesDue, makeColumnIndexes } from './column-indexes.ts'
import { isVectorIndexDue, makeVectorIndex } from './vector-index.ts'
import { makeWordIndex } from './word-index.ts'

/** What is done to a table beside its reads and writes, and takes the longer the larger it is. */
export type Chore =
  /** Merges files, brings indexes up to date, and deletes versions begun before that, in milliseconds. */
  | { kind: 'merge'; olderThan: number }
  /** Makes the index of words anew. */
  | { kind: 'words' }
  /** Makes what other indexes filters need. */
  | { kind: 'columns' }
  /** Makes that of vectors where it is missing or has grown slow. */
  | { kind: 'vectors' }

/** Whether there is anything to be done. */
export async function isDue(table: Table, { kind }: Chore): Promise<boolean> {
  if (kind === 'columns') return areColumnIndexesDue(table)
  return kind !== 'vectors' || isVectorIndexDue(table)
}

export async function doChore(table: Table, chore: Chore): Promise<void> {
  if (chore.kind === 'columns') await makeColumnIndexes(table)
  else if (chore.kind === 'vectors') await makeVectorIndex(table)
  else if (chore.kind === 'words') await makeWordIndex(table)
  else await table.optimize({ cleanupOlderThan: new Date(chore.olderThan) })
}
