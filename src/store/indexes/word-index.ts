import { Index, MatchQuery, type Table } from '@lancedb/lancedb'

const column = 'words'
export const wordIndexName = 'words_idx'

/** Longer than any token of ours but those made of a word past any language's. */
const maxTokenLength = 200

/** Tokens to look for, and how often each counts. */
export type WeightedTokens = ReadonlyMap<string, number>

/** Finds the fragments that hold any of the tokens; LanceDB counts a repeated one as often. */
export const anyOf = (tokens: WeightedTokens): MatchQuery =>
  new MatchQuery([...tokens].map(([token, times]) => `${token} `.repeat(times)).join(''), column)

/**
 * Makes an index that holds nothing yet, in the place of any other: searches read the rows until the
 * next compaction puts them into it. The tokens are ours, so it only cuts at blanks.
 */
export async function makeEmptyWordIndex(table: Table): Promise<void> {
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
