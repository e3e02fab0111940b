import { Index, MatchQuery, type Query, type Table, type VectorQuery } from '@lancedb/lancedb'
import { DataType } from 'apache-arrow'
import { above } from './filter.ts'

const vectorColumn = 'vector'
export const vectorIndexName = 'vector_idx'

/** docs/measurements.md has the recall and time of other kinds. */
const kind = { distanceType: 'cosine', numBits: 4 } as const

/** LanceDB rebuilds most of an index to split a partition of over 16,384 vectors or join one of under 1,024. */
const vectorsPerPartition = 6_144

/** All of up to 1.2 million vectors. The built-in ones stand in no clusters, so that fewer would miss some. */
const partitionsSearched = 200

const dimensionsDivisor = 8

/** Each compaction adds a segment, which slows searches. */
const minSegments = 7
const segmentsPerRoot = 1 / 25
const maxShareWrittenSince = 1 / 2

export function nearestTo(query: Query, vectors: Float32Array[], limit: number): VectorQuery {
  const [first, ...others] = vectors
  return others
    .reduce((search, vector) => search.addQueryVector(vector), query.nearestTo(first!))
    .distanceType(kind.distanceType)
    .nprobes(partitionsSearched)
    .limit(limit)
}

/** Asks for more than `topK`, because the index finds vectors about as near as the nearest. */
export const indexLimit = (topK: number): number => Math.max(topK + 5, Math.ceil(topK * 1.5))

/** Whether the index is missing, or has become slow to search or to bring up to date. */
export async function isVectorIndexDue(table: Table): Promise<boolean> {
  const indexes = await table.listIndices()
  const index = indexes.find(({ name }) => name === vectorIndexName)
  if ((await dimensionsOf(table)) % dimensionsDivisor !== 0) return false
  if (index === undefined) return true
  const rows = await table.countRows()
  const maxSegments = Math.max(minSegments, Math.sqrt(rows) * segmentsPerRoot)
  const { numSegments = 1, createdAt = new Date() } = index
  const written = await table.countRows(above('updated_at', createdAt.toISOString()))
  return numSegments > maxSegments || written > rows * maxShareWrittenSince
}

export async function makeVectorIndex(table: Table): Promise<void> {
  const numPartitions = Math.max(1, Math.round((await table.countRows()) / vectorsPerPartition))
  const config = Index.ivfRq({ ...kind, numPartitions })
  await table.createIndex(vectorColumn, { config, name: vectorIndexName })
}

export async function dimensionsOf(table: Table): Promise<number> {
  const { type } = (await table.schema()).fields.find((field) => field.name === vectorColumn)!
  return DataType.isFixedSizeList(type) ? type.listSize : 0
}

const wordColumn = 'words'
export const wordIndexName = 'words_idx'

const maxTokenLength = 200

export type WeightedTokens = ReadonlyMap<string, number>

/** LanceDB counts a token as often as it is repeated. */
export const anyOf = (tokens: WeightedTokens): MatchQuery =>
  new MatchQuery(
    [...tokens].map(([token, times]) => `${token} `.repeat(times)).join(''),
    wordColumn,
  )

/** Makes an empty index. Searches read the rows until the next compaction fills it. */
export const makeEmptyWordIndex = (table: Table): Promise<void> => makeWords(table, false)

/** Rebuilds the index from all rows, which takes LanceDB less time than a compaction. */
export const makeWordIndex = (table: Table): Promise<void> => makeWords(table, true)

async function makeWords(table: Table, train: boolean): Promise<void> {
  // Tokens are stored ready-made, with blanks between.
  const config = Index.fts({
    baseTokenizer: 'whitespace',
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    lowercase: false,
    withPosition: false,
    maxTokenLength,
  })
  await table.createIndex(wordColumn, { config, name: wordIndexName, train })
}
