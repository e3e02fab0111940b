import type { Datastore } from '../domain/datastores.ts'
import type { Question } from '../retrieval/candidates.ts'
import type { Retrieval } from '../retrieval/retrieval.ts'
import type { Standing } from '../retrieval/standing.ts'
import type { Deadline } from '../process/deadline.ts'
import { TimeSlice } from '../process/time-slice.ts'
import type { TermStatistics } from '../store/types.ts'
import type { Rewrite } from './answerer.ts'
import { type BestPassage, bestPassage, type Needed } from './passages/best-passage.ts'
import { callsOther, hasNumbers, numberTest, tellOfOthers } from './passages/codes.ts'
import { isOfAskedVersion, textAt } from './passages/passages.ts'
import { QuestionWords } from './passages/question-words.ts'
import { type Findings, type Source, SourceFinder } from './sources.ts'

/** A passage with a smaller share of the question's words is weaker evidence than a model's vectors. */
const coverOfWords = 0.5
/** A row holds this share of the question, with the head of its table. */
const coverOfRow = 0.3
const coverOfVersion = 0.2
/** A passage in a text without a thing that the question ends with needs this share. */
const coverOfForeign = 0.6

/** A passage must hold these shares of what a question adds to the one before, and of what its `it` stands for. */
const minShareOfAdded = 0.34
const minShareOfSubject = 0.4

/** Words that only the rest of a fragment has cover a tenth, and no passage answers by them alone. */
const minCover = 0.11

type InSlot = <T>(work: () => Promise<T>) => Promise<T>

export type Covering = Findings & { passage: BestPassage | undefined; isCovered: boolean }

const nothingAsked: Covering = {
  sources: [],
  statistics: { fragments: 0, documentFrequencies: (tokens) => tokens.map(() => 0) },
  options: [],
  passage: undefined,
  isCovered: false,
}

/**
 * Searches for one rewrite of a question after the other, until the sources cover one. With a model's vectors,
 * likeness alone may cover it. `inSlot` lets a rewrite's work wait for its turn.
 */
export async function findCovering(
  retrieval: Retrieval,
  datastores: Datastore[],
  rewrites: Rewrite[],
  search: Omit<Question, 'query'>,
  deadline: Deadline,
  inSlot: InSlot,
): Promise<Covering> {
  const [rewrite, ...others] = rewrites
  if (!rewrite) return nothingAsked
  const question = { ...search, query: rewrite.query }
  // A slow provider holds no slot.
  await retrieval.prepare(datastores, question, deadline)
  const covering = await inSlot(() =>
    coveringOf(retrieval, datastores, question, rewrite, deadline),
  )
  if (covering.isCovered) return covering
  if (others.length > 0)
    return findCovering(retrieval, datastores, others, search, deadline, inSlot)
  return { ...covering, sources: [], passage: undefined }
}

async function coveringOf(
  retrieval: Retrieval,
  datastores: Datastore[],
  question: Question,
  rewrite: Rewrite,
  deadline: Deadline,
): Promise<Covering> {
  deadline.signal.throwIfAborted()
  const { query, asked: own = query } = rewrite
  const found = await new SourceFinder(retrieval, deadline).find(datastores, question, own)
  const { sources, statistics, options } = found
  const slice = new TimeSlice()
  // A question may be as long as several pages.
  await slice.pause()
  const words = new QuestionWords(query, statistics, { own, options })
  await slice.pause()
  const [first] = sources
  const datastore = datastores.find(({ id }) => id === first?.datastoreId)
  if (!first || !datastore) return { ...found, passage: undefined, isCovered: false }
  const standing = await retrieval.standings.of(first.found, datastore, question, deadline)
  const passage = await bestPassage(words, sources, deadline.signal, neededOf(rewrite, statistics))
  const isWeak = own === query && (passage?.cover ?? 0) < coverOfWords
  if (isWeak && (await standing.isLike())) {
    const best = (await bestPassage(words, [first], deadline.signal)) ?? passage
    return { ...found, passage: best, isCovered: best !== undefined }
  }
  if (!passage) return { ...found, passage, isCovered: false }
  const isCovered =
    isAskedVersion(passage, words) ||
    (!isOtherRow(own, passage) &&
      (isAskedRow(passage, words) ||
        (isEvident(first, passage, standing) && !isOfOthers(own, passage, sources))))
  return { ...found, passage, isCovered }
}

/** Whether the first source and the best passage are better than chance; stop words alone ask nothing. */
function isEvident({ score }: Source, passage: BestPassage, standing: Standing): boolean {
  const { cover, lacksForeign } = passage
  if (cover < minCover || (lacksForeign && cover < coverOfForeign)) return false
  return evidenceFor(score, cover, standing) >= minEvidence
}

function isOfOthers(query: string, { text, passage }: BestPassage, sources: Source[]): boolean {
  const texts = sources.map(({ found }) => `${found.name}\n${found.text}`)
  return tellOfOthers(query, textAt(text, passage), texts)
}

const isOtherRow = (query: string, { text, passage }: BestPassage): boolean =>
  text.parts[passage.part]!.kind === 'row' && callsOther(query, textAt(text, passage))

/** Rows are so alike that chance tells little. One is asked for by all numbers of the question that do not stand above it. */
function isAskedRow(best: BestPassage, { numbers }: QuestionWords): boolean {
  const { text, passage, cover, isNamed } = best
  const { kind, head, headings } = text.parts[passage.part]!
  if (cover < coverOfRow || kind !== 'row') return false
  const above = [head, ...headings].map((part) => textAt(text, text.parts[part]))
  const isAbove = numberTest(above.join('\n'))
  const own = numbers.filter((number) => !isAbove(number))
  return (isNamed || own.length > 0) && hasNumbers(own, textAt(text, passage))
}

/** Sections of a list of changes are as alike, and the heading of one names its version. */
const isAskedVersion = (best: BestPassage, words: QuestionWords): boolean =>
  !best.lacksForeign &&
  best.cover >= coverOfVersion &&
  isOfAskedVersion(best.text, best.passage.part, words)

/** What a passage, or its text, must hold of a question that goes on with another. */
const neededOf = ({ asked = '', about = '' }: Rewrite, statistics: TermStatistics): Needed[] =>
  [
    { words: new QuestionWords(asked, statistics), share: minShareOfAdded },
    { words: new QuestionWords(about, statistics), share: minShareOfSubject, isAround: true },
  ].filter(({ words }) => !words.isEmpty)

/** Fitted on questions of 15 datastores, and the same for 29 others. */
const weights = { score: 10, cover: 6, near: 3, chance: -10, size: -0.3 }

const minEvidence = 2

const evidenceFor = (score: number, cover: number, standing: Standing): number =>
  weights.score * score +
  weights.cover * cover +
  weights.near * Math.sqrt(standing.near) +
  weights.chance * standing.chance +
  weights.size * Math.log(Math.max(2, standing.fragments))
