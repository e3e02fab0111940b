import type { Query, Table, VectorQuery } from '@lancedb/lancedb'
import { isTorn } from './faults.ts'
import { above, hasAny } from './filter.ts'
import { columnIndexNames } from './column-indexes.ts'
import type { Indexes } from './upkeep.ts'
import { dimensionsOf, nearestTo, vectorIndexName } from './vector-index.ts'
import { anyOf, makeEmptyWordIndex, wordIndexName } from './word-index.ts'

/**
 * From so many fragments on, vectors and ids are searched by indexes, as words always are. Up to here
 * an exact search takes 2 ms, a quarter of that each in batches of 16; by an index it is 0.6 ms, and
 * 0.1.
 */
const fewestRows = 2_000

export const fragmentIndexes: Indexes = {
  clear: makeEmptyWordIndex,
  fewestRows,
  state: async (table) => {
    const indexes = await table.listIndices()
    const has = (sought: string) => indexes.some(({ name }) => name === sought)
    const unindexed = indexes.map(({ numUnindexedRows = 0 }) => numUnindexedRows)
    return {
      hasVectors: has(vectorIndexName),
      isWordsOnly: indexes.every(({ name }) => name === wordIndexName),
      unindexed: has(wordIndexName) ? Math.max(...unindexed) : await table.countRows(),
    }
  },
  bytesOfWords: async (table) => {
    const indexes = await table.listIndices()
    return indexes.find(({ name }) => name === wordIndexName)?.sizeBytes ?? 0
  },
  load: async (table) => {
    const dimensions = await dimensionsOf(table)
    for (const probe of [probes.words!, probes.vector!]) {
      await probe(table.query(), dimensions).fastSearch().limit(1).toArrow()
    }
  },
  newest: newestStamp,
}

/** When the newest row was written; nothing that comes later has the same time or an earlier one. */
export async function newestStamp(table: Table): Promise<string | undefined> {
  const [row] = await table
    .query()
    .orderBy({ columnName: 'updated_at', ascending: false })
    .select(['updated_at'])
    .limit(1)
    .toArray()
  return row?.updated_at
}

/**
 * Leaves the indexes out where one cannot be read, as where a file of it is missing, empty or cut
 * short, which LanceDB cannot even list then: all that they say is in the rows, which were read, and
 * they are made again.
 */
export async function dropTornIndexes(table: Table): Promise<void> {
  try {
    for (const { columns } of await table.listIndices()) {
      await probes[columns[0]!]?.(table.query(), await dimensionsOf(table))
        .limit(1)
        .toArrow()
    }
  } catch {
    for (const name of [wordIndexName, vectorIndexName, ...columnIndexNames]) {
      await table.dropIndex(name).catch(unlessMissing)
    }
  }
}

function unlessMissing(cause: unknown): void {
  if (!isTorn(cause)) throw cause
}

/** For the index of each column a search that reads all of its pages or partitions. */
const probes: Record<string, (query: Query, dimensions: number) => Query | VectorQuery> = {
  words: (query) =>
    query.fullTextSearch(anyOf(new Map([['anything', 1]]))).select(['id', '_score']),
  vector: (query, dimensions) =>
    nearestTo(query, [new Float32Array(dimensions).fill(1)], 1).select(['id', '_distance']),
  datasource_id: (query) => query.where(above('datasource_id', '')).select(['id']),
  custom_ids: (query) => query.where(hasAny('custom_ids', ['anything'])).select(['id']),
  updated_at: (query) => query.where(above('updated_at', '')).select(['id']),
}
