import type { AnswerSource } from '../../generated/types.gen.ts'
import type { Datastore } from '../domain/datastores.ts'
import { parsePages } from '../domain/documents.ts'
import { NotFound, orUndefined } from '../errors/errors.ts'
import { minCandidates, type Question } from '../retrieval/candidates.ts'
import { comparable } from '../retrieval/standing.ts'
import { Highlighter, matchedPage } from '../retrieval/highlights.ts'
import type { Retrieval } from '../retrieval/retrieval.ts'
import type { Deadline } from '../process/deadline.ts'
import { TimeSlice } from '../process/time-slice.ts'
import type { Found, TermStatistics } from '../store/types.ts'
import type { Quotable } from './passages/best-passage.ts'
import { definitionsOf, sectionIn, subjectIn } from '../text/question-phrases.ts'
import { words } from '../text/words.ts'
import { definesInLines, isManual, optionsIn } from './passages/command-options.ts'

/** `page` has most words of the question, where the file has pages that begin at `pages`. */
export type Source = Quotable & { datastoreId: string; pages?: readonly number[]; page?: number }

/** What was found, best first, how common words are there, and the options that are asked, if it has any. */
export type Findings = { sources: Source[]; statistics: TermStatistics; options: string[] }

/** Searches datastores for what answers a question. */
export class SourceFinder {
  readonly #retrieval: Retrieval
  readonly #deadline: Deadline

  constructor(retrieval: Retrieval, deadline: Deadline) {
    this.#retrieval = retrieval
    this.#deadline = deadline
  }

  /** Searches all at once; one that is deleted meanwhile has no sources. `own` is what is asked now. */
  async find(datastores: Datastore[], question: Question, own: string): Promise<Findings> {
    const asked = optionsIn(own)
    const isOption = asked.length > 0
    const isMeaning = isOption || meaningOf([], own) !== undefined
    const wide = isMeaning
      ? { ...question, topK: Math.max(question.topK, minCandidates) }
      : question
    const searched = await Promise.all(
      datastores.map((one) => this.#in(one, wide).catch(orUndefined(NotFound))),
    )
    const found = searched.filter((some) => some !== undefined)
    const alike = found.flatMap(({ sources }) => sources).filter(({ score }) => score > 0)
    const best = distinct(alike.toSorted((a, b) => b.rank - a.rank))
    const options = isOption && (await isAnyManual(best)) ? asked : []
    const sources = await withMeaning(best, question.topK, meaningOf(options, own), own)
    await this.#complete(sources, question.query)
    return { sources, statistics: sum(found.map(({ statistics }) => statistics)), options }
  }

  async #in(datastore: Datastore, question: Question): Promise<Omit<Findings, 'options'>> {
    const asked = this.#retrieval.questionFor(datastore, question)
    const scored = await this.#retrieval.query(datastore, asked, this.#deadline)
    const statistics = await this.#retrieval.statistics(datastore)
    const sources = scored.map(({ found, score }) => ({
      found,
      score,
      rank: comparable(score, statistics.fragments),
      datastoreId: datastore.id,
    }))
    return { sources, statistics }
  }

  async #complete(sources: Source[], query: string): Promise<void> {
    let made: Highlighter | undefined
    const highlighter = () => (made ??= new Highlighter(query))
    const byDatastore = Map.groupBy(sources, ({ datastoreId }) => datastoreId)
    await Promise.all(
      byDatastore.entries().map(([id, of]) => this.#completeIn(id, of, highlighter)),
    )
  }

  async #completeIn(id: string, sources: Source[], highlighter: () => Highlighter): Promise<void> {
    const fragments = sources.map(({ found }) => found)
    await this.#readPages(id, fragments)
    const headOf = await this.#retrieval.tableHeads(id, fragments)
    for (const source of sources) {
      source.head = headOf(source.found)
      const pages = knownPages.get(source.found)
      if (!pages) continue
      source.pages = pages
      source.page = matchedPage(pages, source.found, highlighter)
    }
  }

  /** Reads where the pages of the fragments' files begin, and not again for the same fragments. */
  async #readPages(datastoreId: string, fragments: Found[]): Promise<void> {
    const unknown = fragments.filter((found) => !knownPages.has(found))
    if (unknown.length === 0) return
    const ids = new Set(unknown.map(({ datasourceId }) => datasourceId))
    const infos = await this.#retrieval.infos(datastoreId, [...ids])
    for (const found of unknown) {
      const info = infos.get(found.datasourceId)
      // The datasource may have another text by now.
      if (info?.updatedAt === found.updatedAt) knownPages.set(found, parsePages(info.pages))
    }
  }
}

/** Where the pages of its file begin; null for a fragment of no pages. */
const knownPages = new WeakMap<Found, readonly number[] | null>()

async function isAnyManual(sources: Source[]): Promise<boolean> {
  const slice = new TimeSlice()
  for (const { found } of sources) {
    if (isManual(found.text)) return true
    await slice.pause()
  }
  return false
}

type Says = (text: string) => boolean

/** What tells whether a text says the meaning of what is asked; undefined if no meaning is asked for. */
function meaningOf(options: readonly string[], own: string): Says | undefined {
  if (options.length > 0) return (text) => definesInLines(text, options)
  const subject = subjectIn(own)
  const lines = subject === '' ? sectionIn(own) : definitionsOf(subject)
  return lines && ((text) => lines.test(text))
}

/** The best sources, and in the last place one that says the meaning, because its words may be those of all. */
async function withMeaning(
  best: Source[],
  count: number,
  says: Says | undefined,
  own: string,
): Promise<Source[]> {
  const first = best.slice(0, count)
  if (!says) return first
  const slice = new TimeSlice()
  let meaning: Source | undefined
  for (const one of best) {
    if (says(one.found.text)) {
      if (isNamedIn(own, one.found.name)) return withLast(first, one)
      meaning ??= one
    }
    await slice.pause()
  }
  return meaning ? withLast(first, meaning) : first
}

const withLast = (first: Source[], one: Source): Source[] =>
  first.includes(one) ? first : [...first.slice(0, -1), one]

/** Whether a question names the program that a document is the manual of, as `ssh` and `man/ssh.1.txt`. */
function isNamedIn(question: string, name: string): boolean {
  const said = new Set(words(question).map(({ text }) => text))
  const program = words(/[^/.(]*(?=[.(][^/]*$|$)/.exec(name)?.[0] ?? '')
  return program.length > 0 && program.every(({ text }) => said.has(text))
}

export const toAnswerSource = ({ found, score, datastoreId, page }: Source): AnswerSource => ({
  text: found.text,
  score,
  source: found.source,
  datasource_id: found.datasourceId,
  datasource_name: found.name,
  datastore_id: datastoreId,
  start: found.offset,
  end: found.offset + found.text.length,
  ...(page !== undefined && { page }),
})

const distinct = (sources: Source[]): Source[] =>
  Array.from(Map.groupBy(sources, ({ found }) => found.text).values(), ([best]) => best!)

const sum = (all: TermStatistics[]): TermStatistics => ({
  fragments: all.reduce((total, { fragments }) => total + fragments, 0),
  documentFrequencies: (tokens) => {
    const ofEach = all.map((statistics) => statistics.documentFrequencies(tokens))
    return tokens.map((_, index) => ofEach.reduce((total, one) => total + one[index]!, 0))
  },
})
