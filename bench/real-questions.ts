import { readFileSync } from 'node:fs'
import type { AgentAnswer } from '../generated/types.gen.ts'

type Document = { id: string; name: string; text: string }
/** `must` is a pattern of the answer, in one of `docs`, and `mustNot` of what must not be in it. */
type Question = {
  text: string
  kind: string
  docs: string[]
  must?: string
  mustNot?: string
  unanswerable?: boolean
}

/** Documents as people have them, and questions as people type them, of which some have no answer there. */
type RealQuestions = { documents: Document[]; questions: Question[] }

export type Verdict = 'right' | 'partly' | 'wrong' | 'declined' | 'answered'

/** The share of a smaller set of documents that may be answers. */
const shareThatAnswers = 0.6

/** Reads a file of them. With `count`, only that many documents, and the questions that they or no documents answer. */
export function readRealQuestions(file: string, count = Infinity): RealQuestions {
  const { documents, questions } = JSON.parse(readFileSync(file, 'utf8')) as RealQuestions
  if (count >= documents.length) return { documents, questions }
  const needed = new Set<string>()
  const asked = questions.filter(({ docs, unanswerable }) => {
    if (unanswerable) return true
    const all = needed.union(new Set(docs))
    if (all.size > count * shareThatAnswers) return false
    for (const id of docs) needed.add(id)
    return true
  })
  const byNeed = documents.toSorted((a, b) => Number(needed.has(b.id)) - Number(needed.has(a.id)))
  return { documents: byNeed.slice(0, count), questions: asked }
}

/** Judges an answer by what it quotes; `idOf` gives a document's id by that of its datasource. */
export function verdictOf(
  { docs, must, mustNot, unanswerable }: Question,
  { answered, citations, sources }: AgentAnswer,
  idOf: ReadonlyMap<string, string>,
): Verdict {
  if (!answered) return 'declined'
  if (unanswerable) return 'answered'
  const isOfAnswering = ({ source }: { source: number }) =>
    docs.includes(idOf.get(sources[source]!.datasource_id) ?? '')
  const quotes = citations.filter(isOfAnswering).map(({ quote }) => quote.text)
  if (quotes.length === 0) return 'wrong'
  const holds = new RegExp(must ?? '', 'is').test(quotes.join('\n'))
  const isMixed = citations.length > quotes.length
  const isSpoilt = mustNot !== undefined && new RegExp(mustNot, 's').test(quotes.join('\n'))
  return holds && !isMixed && !isSpoilt ? 'right' : 'partly'
}
