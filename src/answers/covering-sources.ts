import type { Datastore } from '../domain/datastores.ts'
import type { Question, Retrieval } from '../retrieval/retrieval.ts'
import type { Deadline } from '../scheduling/deadline.ts'
import { TimeSlice } from '../scheduling/time-slice.ts'
import { QuestionWords } from './question-words.ts'
import { type RankedSentence, rankSentences } from './sentence-choice.ts'
import { type Findings, findSources } from './sources.ts'

/** The best sentence must hold this share of the question's words, weighed by how rare they are. */
const minShare = 0.34

/** No sources where nothing covers what is asked. */
export type Covering = Findings & { sentences: RankedSentence[]; isCovered: boolean }

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
  const slice = new TimeSlice()
  const found = await findSources(retrieval, datastores, { ...search, query }, deadline)
  const { sources, statistics } = found
  // A question may be as long as several pages.
  await slice.pause()
  const words = new QuestionWords(query, statistics, readings.at(-1))
  await slice.pause()
  const sentences = await rankSentences(words, sources, deadline.signal)
  const isByMeaning = retrieval.findsByMeaning(search.mode) && sources.length > 0
  const isAnswerable = async () => {
    if (!isCovered(sentences)) return false
    const [asked] = others.slice(-1)
    const own = asked === undefined ? undefined : new QuestionWords(asked, statistics)
    return !own || own.isEmpty || isCovered(await rankSentences(own, sources, deadline.signal))
  }
  if (isByMeaning || (await isAnswerable())) return { ...found, sentences, isCovered: true }
  if (others.length > 0) return findCovering(retrieval, datastores, others, search, deadline)
  return { ...found, sources: [], sentences: [], isCovered: false }
}

/** Whether sentences say anything of what is asked; a question of stop words alone asks nothing. */
const isCovered = (sentences: RankedSentence[]): boolean =>
  sentences.some(({ share }) => share >= minShare)
