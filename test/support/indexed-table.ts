import type { Table } from '@lancedb/lancedb'
import type { OpenTable } from '../../src/store/open-table.ts'

/** The same table as one that holds nothing that is not in its index of words. */
export const indexed = (table: OpenTable): OpenTable =>
  ({
    isShared: false,
    wordsUntil: '9',
    hasFresh: false,
    read: <T>(query: (lance: Table) => Promise<T>) => table.read(query),
  }) as unknown as OpenTable
