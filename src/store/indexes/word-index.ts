import { Index, MatchQuery, type Table } from '@lancedb/lancedb'

const column = 'words'
export const wordIndexName = 'words_idx'

const maxTokenLength = 200

export type WeightedTokens = ReadonlyMap<string, number>

/** LanceDB counts a token as often as it is repeated. */
export const anyOf = (tokens: WeightedTokens): MatchQuery =>
  new MatchQuery([...tokens].map(([token, times]) => `${token} `.repeat(times)).join(''), column)

/** Makes an empty index. Searches read the rows until the next compaction fills it. */
export async function makeEmptyWordIndex(table: Table): Promise<void> {
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
  await table.createIndex(column, { config, name: wordIndexName, train: false })
}
