import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readBeir } from './beir.ts'
import type { Collection, Text } from './collection.ts'
import { readCranfield } from './cranfield.ts'

/** What the contract takes at most; what is longer is cut for every way of searching alike. */
const maxText = 1_048_576
const maxQuery = 8_192

const layouts = [
  { mark: 'corpus.jsonl', read: readBeir },
  { mark: 'cran.all.1400', read: readCranfield },
]

/**
 * Reads a collection in the layout that the files of the folder show. Blank documents are left out,
 * and queries for which nothing is judged to be of use: no ranking of them is better than another.
 * @throws when the layout is none of those known, or when nothing is left to store or to ask
 */
export async function readCollection(folder: string): Promise<Collection> {
  const layout = layouts.find(({ mark }) => existsSync(join(folder, mark)))
  if (!layout) {
    throw new Error(`${folder} has none of ${layouts.map(({ mark }) => mark).join(', ')}`)
  }
  const { documents, queries, judgements } = await layout.read(folder)
  const isJudged = ({ number }: Text) =>
    judgements
      .get(number)
      ?.values()
      .some((gain) => gain > 0) ?? false
  const collection = {
    documents: documents.map(cutTo(maxText)).filter(isNotBlank),
    queries: queries.filter(isJudged).map(cutTo(maxQuery)).filter(isNotBlank),
    judgements,
  }
  if (collection.documents.length === 0) throw new Error(`${folder} has no document with a text`)
  if (collection.queries.length === 0) throw new Error(`${folder} has no query with a judgement`)
  return collection
}

/** Well formed, for a cut may leave half of a surrogate pair. */
const cutTo =
  (length: number) =>
  ({ number, text }: Text): Text => ({ number, text: text.slice(0, length).toWellFormed() })

const isNotBlank = ({ text }: Text): boolean => /\S/.test(text)
