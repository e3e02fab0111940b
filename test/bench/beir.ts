import { join } from 'node:path'
import type { Collection, Judgements, Text } from './collection.ts'
import { type Line, linesOf } from './lines.ts'

/**
 * Reads a folder in the layout of BEIR: `corpus.jsonl` and `queries.jsonl` with an object a line,
 * and `qrels/test.tsv` with a query, a document and its gain a line.
 * @throws naming the file and the line that is not so
 */
export async function readBeir(folder: string): Promise<Collection> {
  const documents = await readTexts(join(folder, 'corpus.jsonl'))
  const queries = await readTexts(join(folder, 'queries.jsonl'))
  return { documents, queries, judgements: await readJudgements(join(folder, 'qrels', 'test.tsv')) }
}

async function readTexts(file: string): Promise<Text[]> {
  const texts: Text[] = []
  for await (const line of linesOf(file)) {
    const { _id: id, title, text } = objectIn(line)
    const isId = (typeof id === 'string' && id !== '') || typeof id === 'number'
    if (!isId) throw new Error(`${line.place}: _id is not a string`)
    const parts = [title ?? '', text ?? '']
    if (!parts.every((part) => typeof part === 'string')) {
      throw new Error(`${line.place}: title or text is not a string`)
    }
    // Without a title the text stands alone, not below an empty line.
    texts.push({ number: String(id), text: parts.filter((part) => part !== '').join('\n') })
  }
  return texts
}

function objectIn({ text, place }: Line): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`${place}: not JSON`, { cause: error })
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject) throw new Error(`${place}: not an object`)
  return value as Record<string, unknown>
}

async function readJudgements(file: string): Promise<Judgements> {
  const judgements: Judgements = new Map()
  for await (const { text, place } of linesOf(file)) {
    if (text.startsWith('query-id\t')) continue
    const [query, document, score, ...more] = text.split('\t')
    if (!query || !document || !score?.trim() || more.length > 0) {
      throw new Error(`${place}: not a query, a document and a score, with a tab between`)
    }
    const gain = Number(score)
    if (!Number.isFinite(gain)) throw new Error(`${place}: the score is not a number`)
    const gains = judgements.get(query) ?? new Map<string, number>()
    judgements.set(query, gains.set(document, Math.max(0, gain)))
  }
  return judgements
}
