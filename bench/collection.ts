import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A document or a query: what the judgements know it by, and what it says. */
export type Text = { number: string; text: string }

/** Gains by query and document, 0 where it is of no use. */
type Judgements = Map<string, Map<string, number>>

/** A collection to measure retrieval by. */
export type Collection = { documents: Text[]; queries: Text[]; judgements: Judgements }

/** What the contract takes at most; what is longer is cut for every way of searching alike. */
const maxText = 1_048_576
const maxQuery = 8_192

/**
 * Reads a folder in the layout of Cranfield 1400, of BEIR or of XQuAD. Blank documents are left out, and queries
 * for which nothing is judged to be of use: no ranking of them is better than another.
 * @throws when the layout is none of them, or when nothing is left to store or to ask
 */
export function readCollection(folder: string): Collection {
  if (xquadIn(folder)) return fromXquad(readXquad(folder))
  const read = existsSync(join(folder, 'corpus.jsonl')) ? readBeir : readCranfield
  const { documents, queries, judgements } = read((name) => {
    return readFileSync(join(folder, name), 'utf8').replaceAll(/\r|^\uFEFF/g, '')
  })
  const isJudged = ({ number }: Text) =>
    [...(judgements.get(number)?.values() ?? [])].some((gain) => gain > 0)
  const stored = shortened(documents, maxText)
  const asked = shortened(queries.filter(isJudged), maxQuery)
  if (stored.length === 0 || asked.length === 0) throw new Error(`${folder} has nothing to measure`)
  return { documents: stored, queries: asked, judgements }
}

/** Well formed, because a cut may leave half of a surrogate pair. */
const shortened = (texts: Text[], length: number): Text[] =>
  texts
    .map(({ number, text }) => ({ number, text: text.slice(0, length).toWellFormed() }))
    .filter(({ text }) => /\S/.test(text))

/** Paragraphs, and questions with the words of a paragraph that answer them. */
export type Xquad = {
  paragraphs: string[]
  questions: { question: string; paragraph: number; answers: string[] }[]
}

/** Reads a folder with one language of XQuAD. */
export function readXquad(folder: string): Xquad {
  type Asked = { question: string; answers: { text: string }[] }
  type Article = { paragraphs: { context: string; qas: Asked[] }[] }
  const file = readFileSync(join(folder, xquadIn(folder) ?? ''), 'utf8')
  const { data } = JSON.parse(file) as { data: Article[] }
  const all = data.flatMap(({ paragraphs }) => paragraphs)
  return {
    paragraphs: all.map(({ context }) => context),
    questions: all.flatMap(({ qas }, paragraph) =>
      qas.map(({ question, answers }) => {
        return { question, paragraph, answers: answers.map(({ text }) => text) }
      }),
    ),
  }
}

const xquadIn = (folder: string): string | undefined =>
  readdirSync(folder).find((one) => /^xquad\..*json$/.test(one))

/** Of use to a question is the paragraph that it is asked of. */
const fromXquad = ({ paragraphs, questions }: Xquad): Collection => ({
  documents: paragraphs.map((text, index) => ({ number: String(index), text })),
  queries: questions.map(({ question }, index) => ({ number: String(index), text: question })),
  judgements: new Map(
    questions.map(({ paragraph }, index) => [String(index), new Map([[String(paragraph), 1]])]),
  ),
})

export const readXquadQuestions = (folder: string): string[] =>
  readXquad(folder).questions.map(({ question }) => question)

type ReadFile = (name: string) => string

function readBeir(file: ReadFile): Collection {
  const texts = (name: string): Text[] =>
    linesOf(file(name)).map((line) => {
      const { _id: id, title, text } = JSON.parse(line)
      // Without a title the text stands alone, not below an empty line.
      return { number: String(id), text: [title, text].filter(Boolean).join('\n') }
    })
  const judged = linesOf(file('qrels/test.tsv')).filter((line) => !line.startsWith('query-id\t'))
  return {
    documents: texts('corpus.jsonl'),
    queries: texts('queries.jsonl'),
    judgements: judgementsOf(judged, /\t/, (score) => Math.max(0, score)),
  }
}

function readCranfield(file: ReadFile): Collection {
  const records = (name: string) => file(name).split(/^\.I /m).slice(1)
  const documents = records('cran.all.1400').map((record) => {
    const text = `${fieldOf(record, 'T')}\n${fieldOf(record, 'W')}`
    return { number: String(Number.parseInt(record, 10)), text: fieldOf(record, 'W') && text }
  })
  // The judgements number the queries by their order, not by the number they carry.
  const queries = records('cran.qry').map((record, index) => {
    return { number: String(index + 1), text: fieldOf(record, 'W') }
  })
  return { documents, queries, judgements: judgementsOf(linesOf(file('cranqrel')), /\s+/, gainOf) }
}

const fieldOf = (record: string, name: string): string =>
  record
    .split(new RegExp(`^\\.${name}\\n`, 'm'))[1]
    ?.split(/^\.[A-Z]\n/m)[0]
    ?.trim() ?? ''

/** Of Cranfield's codes: 1, a complete answer, to 4, of minimum interest; -1 is the query's source. */
function gainOf(code: number): number {
  if (code === -1) return 1
  return code >= 1 && code <= 4 ? 5 - code : 0
}

/** A query, a document and how it was judged in every line. */
function judgementsOf(lines: string[], gap: RegExp, gain: (judged: number) => number): Judgements {
  const judgements: Judgements = new Map()
  for (const line of lines) {
    const [query, document, judged] = line.trim().split(gap)
    if (!query || !document || Number.isNaN(Number(judged)))
      throw new Error(`No judgement: ${line}`)
    judgements.set(query, (judgements.get(query) ?? new Map()).set(document, gain(Number(judged))))
  }
  return judgements
}

/** Only a line feed ends a line: `readline` also ends one at U+2028, which JSON allows in a string. */
const linesOf = (file: string): string[] => file.split('\n').filter((line) => line.trim() !== '')
