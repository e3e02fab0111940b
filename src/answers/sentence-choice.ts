import type { Scored } from '../retrieval/ranking.ts'
import { TimeSlice } from '../scheduling/time-slice.ts'
import type { Cover } from './cover.ts'
import { FragmentCover } from './fragment-cover.ts'
import type { QuestionWords } from './question-words.ts'
import { type Sentence, sentencesIn } from './fragment-sentences.ts'

/** `source` is the fragment's index, `share` what is held of the question, `fit` what is compared. */
export type RankedSentence = { sentence: Sentence; source: number; fit: number; share: number }

/** What a word counts that only the sentence before or the heading has. */
const weightBefore = 0.5
const weightOfFragmentScore = 0.3

const minShareOfSame = 0.9

/** The sentences of fragments that say something, those that fit a question best first. */
export async function rankSentences(
  question: QuestionWords,
  fragments: Scored[],
  signal: AbortSignal,
): Promise<RankedSentence[]> {
  const best = Math.max(Number.MIN_VALUE, ...fragments.map(({ score }) => score))
  const slice = new TimeSlice()
  const ranked: RankedSentence[] = []
  for (const [source, { found, score }] of fragments.entries()) {
    const bonus = weightOfFragmentScore * Math.max(0, score / best)
    const sentences = await sentencesIn(found, slice)
    const covers: Cover[] = []
    for (const { words } of sentences) {
      covers.push(question.coverOf(words))
      await slice.pause()
    }
    const whole = new FragmentCover(question, covers)
    for (const [index, sentence] of sentences.entries()) {
      if (isLeftOut(sentence, covers[index]!)) continue
      const share = whole.shareOf(coversAround(index, sentences, covers))
      ranked.push({ sentence, source, share, fit: share + bonus })
      await slice.pause()
    }
    signal.throwIfAborted()
  }
  return ranked.toSorted((a, b) => b.fit - a.fit)
}

/** A lead only tells what comes next; of a comment only what is asked for counts. */
const isLeftOut = ({ isLead, isComment }: Sentence, { indexes }: Cover): boolean =>
  isLead || (isComment && indexes.length === 0)

function coversAround(
  index: number,
  sentences: Sentence[],
  covers: Cover[],
): [Cover | undefined, number][] {
  const { before, under } = sentences[index]!
  const passedOn = sentences[before]?.isLead ? 1 : weightBefore
  return [
    [covers[index], 1],
    [covers[before], passedOn],
    [covers[under], weightBefore],
  ]
}

/** Whether nearly all words of the shorter one are in the other: fragments overlap, and texts repeat. */
export function haveSameWords(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.intersection(other).size >= minShareOfSame * Math.min(one.size, other.size)
}

export const textsOfWords = ({ words }: Sentence): Set<string> =>
  new Set(words.map(({ text }) => text))
