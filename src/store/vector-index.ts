import { Index, type Query, type Table, type VectorQuery } from '@lancedb/lancedb'
import { DataType } from 'apache-arrow'

const column = 'vector'
export const vectorIndexName = 'vector_idx'

/**
 * Four bits a dimension, in partitions of some thousand vectors each. Measured on 100,000 fragments of
 * Cranfield, 1,024 dimensions: of the ten nearest to a query 0.991 are among the first ten by the index
 * and all among the first fifteen, which are then put in order by their vectors. With a fifth bit it is
 * 0.995, all too, and the index takes 1.4 times as long to make; with three 0.985, and 0.9. HNSW
 * (`hnswSq`) took three times as long as five bits and found 0.884; one bit a dimension with all vectors
 * read again half as many queries a second, and 0.872.
 */
const kind = { distanceType: 'cosine', numBits: 4 } as const

/**
 * As it merges files, LanceDB splits a partition of more than 16,384 vectors and joins one of fewer than
 * 1,024 to another, and makes nearly all of the index anew for either, while changes wait: at 100,000
 * fragments that takes ten times as long as to merge files. Of partitions made for so many each the
 * smallest had 2,900 there and the largest 10,200; of LanceDB's own, for 4,096, the smallest had 500. So
 * it comes to that only where a table soon grows to twice its size.
 */
const vectorsAPartition = 6_144

/** Up to 200,000 fragments these are all there are, and nothing is missed for want of them. */
const partitionsSearched = 50

/** LanceDB makes this index for no other numbers of dimensions; those are searched exactly. */
const dimensionsMultiple = 8

/**
 * Each time files are merged a segment is added, which costs a search an eighth of what 100,000 vectors
 * cost. To make one of all takes the longer the more rows there are: the sum is least where segments
 * grow with the root of the rows.
 */
const fewestSegments = 7
const segmentsARoot = 1 / 25

/** Searches by vectors, several at once, by the index where there is one. */
export function nearestTo(query: Query, vectors: Float32Array[], limit: number): VectorQuery {
  const [first, ...others] = vectors
  return others
    .reduce((search, vector) => search.addQueryVector(vector), query.nearestTo(first!))
    .distanceType(kind.distanceType)
    .nprobes(partitionsSearched)
    .limit(limit)
}

/** Of so many by the index's own order the nearest `topK` are among; also of so few as one. */
export const indexLimit = (topK: number): number => Math.max(topK + 5, Math.ceil(topK * 1.5))

/** Whether there is no index, or one that has come to many segments. */
export async function isVectorIndexDue(table: Table): Promise<boolean> {
  const { numSegments = 1 } = (await find(table)) ?? { numSegments: Infinity }
  const most = Math.max(fewestSegments, Math.sqrt(await table.countRows()) * segmentsARoot)
  return numSegments > most && isIndexable(table)
}

/** Makes the index, also where there is one. */
export async function makeVectorIndex(table: Table): Promise<void> {
  const numPartitions = Math.max(1, Math.round((await table.countRows()) / vectorsAPartition))
  const config = Index.ivfRq({ ...kind, numPartitions })
  await table.createIndex(column, { config, name: vectorIndexName })
}

async function find(table: Table) {
  const indexes = await table.listIndices()
  return indexes.find((index) => index.name === vectorIndexName)
}

/** Whether it can be made. */
export const isIndexable = async (table: Table): Promise<boolean> =>
  (await dimensionsOf(table)) % dimensionsMultiple === 0

/** How many numbers a vector of the table has. */
export async function dimensionsOf(table: Table): Promise<number> {
  const { type } = (await table.schema()).fields.find((field) => field.name === column)!
  return DataType.isFixedSizeList(type) ? type.listSize : 0
}
