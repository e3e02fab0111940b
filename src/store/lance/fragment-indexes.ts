import { Index, type Query, type Table, type VectorQuery } from '@lancedb/lancedb'
import { isTorn } from './faults.ts'
import { above, hasAny } from './filter.ts'
import {
  anyOf,
  dimensionsOf,
  isVectorIndexDue,
  makeVectorIndex,
  nearestTo,
  vectorIndexName,
  wordIndexName,
} from './search-indexes.ts'

const scalarIndexes = [
  { column: 'datasource_id', name: 'datasource_id_idx', config: () => Index.btree() },
  { column: 'custom_ids', name: 'custom_ids_idx', config: () => Index.labelList() },
  { column: 'labels', name: 'labels_idx', config: () => Index.labelList() },
]

export type IndexState = {
  hasWords: boolean
  hasVectors: boolean
  wordsUnindexed: number
  /** How many rows the index of a filter that is furthest behind lacks. */
  filtersUnindexed: number
  /** How many rows the index furthest behind lacks. */
  unindexed: number
}

export async function indexStateOf(table: Table): Promise<IndexState> {
  const indexes = await table.listIndices()
  const names = new Set(indexes.map(({ name }) => name))
  const ofFilters = new Set(scalarIndexes.map(({ name }) => name))
  const unindexedIn = (some: typeof indexes) =>
    Math.max(0, ...some.map(({ numUnindexedRows = 0 }) => numUnindexedRows))
  return {
    hasWords: names.has(wordIndexName),
    hasVectors: names.has(vectorIndexName),
    wordsUnindexed: unindexedIn(indexes.filter(({ name }) => name === wordIndexName)),
    filtersUnindexed: unindexedIn(indexes.filter(({ name }) => ofFilters.has(name))),
    unindexed: unindexedIn(indexes),
  }
}

export async function needsIndexBuild(table: Table): Promise<boolean> {
  const names = await indexNames(table)
  return scalarIndexes.some(({ name }) => !names.has(name)) || isVectorIndexDue(table)
}

export async function makeIndexes(table: Table): Promise<void> {
  await makeScalarIndexes(table, false)
  if (await isVectorIndexDue(table)) await makeVectorIndex(table)
}

/** Rebuilds these indexes from all rows. An update of them would keep labels that no row has any more. */
export const rebuildScalarIndexes = (table: Table): Promise<void> => makeScalarIndexes(table, true)

async function makeScalarIndexes(table: Table, exist: boolean): Promise<void> {
  const names = await indexNames(table)
  for (const { column, name, config } of scalarIndexes) {
    if (names.has(name) === exist) await table.createIndex(column, { config: config(), name })
  }
}

const indexNames = async (table: Table): Promise<Set<string>> =>
  new Set((await table.listIndices()).map(({ name }) => name))

/** Makes LanceDB read the parts of the indexes that every search needs. */
export async function loadIndexes(table: Table): Promise<void> {
  for (const { name, columns } of await table.listIndices()) {
    if (name !== wordIndexName && name !== vectorIndexName) continue
    const probe = probes[columns[0]!]!
    await probe(table.query(), await dimensionsOf(table))
      .fastSearch()
      .limit(1)
      .toArrow()
  }
}

/** Drops all indexes when one cannot be read. They are made again from the rows. */
export async function dropTornIndexes(table: Table): Promise<void> {
  try {
    for (const { columns } of await table.listIndices()) {
      await probes[columns[0]!]?.(table.query(), await dimensionsOf(table))
        .limit(1)
        .toArrow()
    }
  } catch {
    const names = scalarIndexes.map(({ name }) => name)
    for (const name of [wordIndexName, vectorIndexName, ...names]) {
      await table.dropIndex(name).catch(unlessMissing)
    }
  }
}

function unlessMissing(cause: unknown): void {
  if (!isTorn(cause)) throw cause
}

/** By column, a search that reads the whole index. */
const probes: Record<string, (query: Query, dimensions: number) => Query | VectorQuery> = {
  words: (query) =>
    query.fullTextSearch(anyOf(new Map([['anything', 1]]))).select(['id', '_score']),
  vector: (query, dimensions) =>
    nearestTo(query, [new Float32Array(dimensions).fill(1)], 1).select(['id', '_distance']),
  datasource_id: (query) => query.where(above('datasource_id', '')).select(['id']),
  custom_ids: (query) => query.where(hasAny('custom_ids', ['anything'])).select(['id']),
  labels: (query) => query.where(hasAny('labels', ['anything'])).select(['id']),
}
