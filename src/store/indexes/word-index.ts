import { Index, MatchQuery, type Table } from '@lancedb/lancedb'

const column = 'words'
export const wordIndexName = 'words_idx'

const maxTokenLength = 200

export type WeightedTokens = ReadonlyMap<string, number>

/** LanceDB counts a token as often as it is repeated. */
export const anyOf = (tokens: WeightedTokens): MatchQuery =>
  new MatchQuery([...tokens].map(([token, times]) => `${token} `.repeat(times)).join(''), column)

/** Makes an empty index. Searches read the rows until the next compaction fills it. */
export const makeEmptyWordIndex = (table: Table): Promise<void> => make(table, false)

/** Makes the index anew from all rows, which takes LanceDB less time than a compaction. */
export const makeWordIndex = (table: Table): Promise<void> => make(table, true)

async function make(table: Table, train: boolean): Promise<void> {
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
  await table.createIndex(column, { config, name: wordIndexName, train })
}
