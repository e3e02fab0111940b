import { Index, type Query, type Table, type VectorQuery } from '@lancedb/lancedb'
import { DataType } from 'apache-arrow'
import { above } from '../lance/filter.ts'

const column = 'vector'
export const vectorIndexName = 'vector_idx'

/** docs/measurements.md has the recall and time of other kinds. */
const kind = { distanceType: 'cosine', numBits: 4 } as const

/**
 * LanceDB splits a partition of more than 16,384 vectors, joins one of fewer than 1,024, and rebuilds
 * most of the index for either. Partitions of this size stay between until a table doubles.
 */
const vectorsAPartition = 6_144

/** All partitions of a table of up to 200,000 rows. */
const partitionsSearched = 50

/** LanceDB makes this index for no other numbers of dimensions. */
const dimensionsMultiple = 8

/** Each compaction adds a segment, which slows searches; past this the index is made anew. */
const minSegments = 7
const segmentsARoot = 1 / 25
/** Of the rows, so many may be written since the index was made before its partitions are too large. */
const maxShareSince = 1 / 2

/** Searches by vectors, several at once, by the index where there is one. */
export function nearestTo(query: Query, vectors: Float32Array[], limit: number): VectorQuery {
  const [first, ...others] = vectors
  return others
    .reduce((search, vector) => search.addQueryVector(vector), query.nearestTo(first!))
    .distanceType(kind.distanceType)
    .nprobes(partitionsSearched)
    .limit(limit)
}

/** How many the index has to find so that the nearest `topK` are among them. */
export const indexLimit = (topK: number): number => Math.max(topK + 5, Math.ceil(topK * 1.5))

/** Whether there is no index, or one that has become slow to search or to bring up to date. */
export async function isVectorIndexDue(table: Table): Promise<boolean> {
  const indexes = await table.listIndices()
  const index = indexes.find(({ name }) => name === vectorIndexName)
  if ((await dimensionsOf(table)) % dimensionsMultiple !== 0) return false
  if (index === undefined) return true
  const rows = await table.countRows()
  const maxSegments = Math.max(minSegments, Math.sqrt(rows) * segmentsARoot)
  const { numSegments = 1, createdAt = new Date() } = index
  const written = await table.countRows(above('updated_at', createdAt.toISOString()))
  return numSegments > maxSegments || written > rows * maxShareSince
}

export async function makeVectorIndex(table: Table): Promise<void> {
  const numPartitions = Math.max(1, Math.round((await table.countRows()) / vectorsAPartition))
  const config = Index.ivfRq({ ...kind, numPartitions })
  await table.createIndex(column, { config, name: vectorIndexName })
}

export async function dimensionsOf(table: Table): Promise<number> {
  const { type } = (await table.schema()).fields.find((field) => field.name === column)!
  return DataType.isFixedSizeList(type) ? type.listSize : 0
}
