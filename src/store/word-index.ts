import { Index, MatchQuery, type Table } from '@lancedb/lancedb'

const column = 'words'

/** No token of ours is longer but those made of a word past any language's. */
const maxTokenLength = 200

export const wordIndexName = 'words_idx'

export async function hasWordIndex(table: Table): Promise<boolean> {
  const indexes = await table.listIndices()
  return indexes.some(({ columns }) => columns.includes(column))
}

export const makeWordIndex = (table: Table): Promise<void> => makeIndex(table, true)

/** With nothing in it, searches read the rows. */
export const makeEmptyWordIndex = (table: Table): Promise<void> => makeIndex(table, false)

/** The tokens are ours, so that the index only has to cut at blanks. */
async function makeIndex(table: Table, train: boolean): Promise<void> {
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

/** Tokens to look for, and how often each counts; those of a text stand there with blanks between. */
export type SoughtTokens = ReadonlyMap<string, number>

/** Finds the fragments that hold any of the tokens. */
export const anyOf = (tokens: SoughtTokens): MatchQuery =>
  new MatchQuery([...tokens].map(([token, times]) => `${token} `.repeat(times)).join(''), column)
