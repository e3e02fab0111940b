import type { Datastore } from '../domain/datastores.ts'
import type { Question, Retrieval } from '../retrieval/retrieval.ts'
import type { Deadline } from '../scheduling/deadline.ts'
import { isCovered } from './coverage.ts'
import { QuestionWords } from './question-words.ts'
import { type Findings, findSources } from './sources.ts'

/** No sources where nothing covers what is asked. */
export type Covering = Findings & { words: QuestionWords; isCovered: boolean }

/**
 * Searches for one reading of a question after the other, until what is found covers one. The last reading
 * is the question as asked; its own words are to be covered in each. A model's vectors find fragments that
 * share no word with the question, so there `minScore` alone decides.
 */
export async function findCovering(
  retrieval: Retrieval,
  datastores: Datastore[],
  readings: string[],
  search: Omit<Question, 'query'>,
  deadline: Deadline,
): Promise<Covering> {
  const [query = '', ...others] = readings
  const found = await findSources(retrieval, datastores, { ...search, query }, deadline)
  const words = new QuestionWords(query, found.statistics, readings.at(-1))
  const isByMeaning = retrieval.findsByMeaning(search.mode) && found.sources.length > 0
  const own = others.map((other) => new QuestionWords(other, found.statistics)).slice(-1)
  const areCovered = [words, ...own.filter(({ isEmpty }) => !isEmpty)].every((some) =>
    isCovered(some, found.sources),
  )
  if (isByMeaning || areCovered) return { ...found, words, isCovered: true }
  if (others.length > 0) return findCovering(retrieval, datastores, others, search, deadline)
  return { ...found, sources: [], words, isCovered: false }
}
