import type { Scored } from '../retrieval/ranking.ts'
import type { Cover, QuestionWords } from './question-words.ts'
import { type Sentence, sentencesIn } from './fragment-sentences.ts'

/** `source` is the fragment's index, `share` what is held of the question, `fit` what is compared. */
export type RankedSentence = { sentence: Sentence; source: number; fit: number; share: number }

/** What a word counts that only the sentence before or the heading, or the rest of the fragment, has. */
const weightBefore = 0.5
const weightInFragment = 0.1
const weightOfFragmentScore = 0.3

const minShareOfSame = 0.9

export function rankSentences(question: QuestionWords, fragments: Scored[]): RankedSentence[] {
  const best = Math.max(Number.MIN_VALUE, ...fragments.map(({ score }) => score))
  const ranked = fragments.flatMap(({ found, score }, source) => {
    const bonus = weightOfFragmentScore * Math.max(0, score / best)
    const sentences = sentencesIn(found)
    const covers = sentences.map((sentence) => question.coverOf(sentence.words))
    const whole = atMost(covers, question.count)
    return sentences.flatMap((sentence, index): RankedSentence[] => {
      const isHidden = sentence.isComment && covers[index]!.every((held) => held === 0)
      if (sentence.isLead || isHidden) return []
      const passedOn = sentences[sentence.before]?.isLead ? 1 : weightBefore
      const share = question.shareOf(
        withContext(
          covers[index]!,
          covers[sentence.before],
          covers[sentence.under],
          whole,
          passedOn,
        ),
      )
      return [{ sentence, source, share, fit: share + bonus }]
    })
  })
  return ranked.toSorted((a, b) => b.fit - a.fit)
}

/** Whether nearly all words of the shorter one are in the other: fragments overlap, and texts repeat. */
export function hasSameWords(one: Sentence, other: Sentence): boolean {
  const [a, b] = [one, other].map(({ words: all }) => new Set(all.map(({ text }) => text)))
  return a!.intersection(b!).size >= minShareOfSame * Math.min(a!.size, b!.size)
}

const atMost = (covers: Cover[], count: number): Cover =>
  Float64Array.from({ length: count }, (_, index) =>
    covers.reduce((most, cover) => Math.max(most, cover[index]!), 0),
  )

const withContext = (
  own: Cover,
  before: Cover | undefined,
  under: Cover | undefined,
  whole: Cover,
  passedOn: number,
): Cover =>
  own.map((share, index) =>
    Math.max(
      share,
      (before?.[index] ?? 0) * passedOn,
      (under?.[index] ?? 0) * weightBefore,
      whole[index]! * weightInFragment,
    ),
  )
