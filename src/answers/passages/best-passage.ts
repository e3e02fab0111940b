import { TimeSlice } from '../../scheduling/time-slice.ts'
import type { Cover } from '../cover.ts'
import { FragmentCover } from '../fragment-cover.ts'
import type { QuestionWords } from '../question-words.ts'
import type { Source } from '../sources.ts'
import { type Passage, readText, type ReadText } from './passages.ts'

/** `source` is the index of the fragment that it stands in. */
export type BestPassage = { source: number; text: ReadText; passage: Passage }
export type Passages = {
  best: BestPassage | undefined
  /** The greatest share of the question that one holds, with what it stands under and beside. */
  cover: number
}

/** Of more sources none has been the one to quote. */
const maxSources = 5
/** What a word counts that only the paragraph before has. */
const weightBefore = 0.5
const weights = { own: 0.5, start: 0.5, length: -0.03 / 500 }

/** The one passage of the sources that fits a question best. */
export async function bestPassage(
  question: QuestionWords,
  sources: Source[],
  signal: AbortSignal,
): Promise<Passages> {
  const slice = new TimeSlice()
  const [first] = sources
  let best: BestPassage | undefined
  let [cover, bestFit] = [0, -Infinity]
  for (const [source, { found, rank }] of sources.slice(0, maxSources).entries()) {
    const text = await readText(found, slice)
    const covers: Cover[] = []
    for (const { words } of text.parts) {
      covers.push(question.coverOf(words))
      await slice.pause()
    }
    const reader = new PassageReader(question, text, covers)
    for (const passage of text.passages) {
      const { share, fit } = reader.read(passage)
      const whole = fit + Math.max(0, 1 - (first!.rank - rank) / first!.score)
      cover = Math.max(cover, share)
      if (whole > bestFit) {
        bestFit = whole
        best = { source, text, passage }
      }
      await slice.pause()
    }
    signal.throwIfAborted()
  }
  return { best, cover }
}

/** Compares the passages of one text with a question. */
class PassageReader {
  readonly #question: QuestionWords
  readonly #text: ReadText
  readonly #covers: Cover[]
  readonly #name: Cover
  readonly #whole: FragmentCover

  constructor(question: QuestionWords, text: ReadText, covers: Cover[]) {
    this.#question = question
    this.#text = text
    this.#covers = covers
    this.#name = question.coverOf(text.name)
    this.#whole = new FragmentCover(question, [...covers, this.#name])
  }

  read({ part: index, words, opening, start, end }: Passage): { share: number; fit: number } {
    const { parts } = this.#text
    const part = parts[index]!
    const cover = words === part.words ? this.#covers[index]! : this.#question.coverOf(words)
    if (part.kind === 'comment' && cover.indexes.length === 0) return nothing
    const before = index - 1
    const isUnderIt = isLead(parts[before]?.kind)
    const above = isUnderIt ? this.#covers[before] : undefined
    const around = [...part.headings, part.head].map((one) => this.#covers[one])
    const share = this.#whole.shareOf([
      ...[cover, this.#name, ...around].map((one): Weighed => [one, 1]),
      [this.#covers[before], isUnderIt ? 1 : weightBefore],
    ])
    const own = this.#question.shareOfAll([cover, above])
    const begun = this.#question.shareOfAll([this.#question.coverOf(opening), above])
    const fit = share + weights.own * own + weights.start * begun + weights.length * (end - start)
    return { share, fit }
  }
}

type Weighed = [cover: Cover | undefined, weight: number]

/** It is a comment that says nothing of the question. */
const nothing = { share: 0, fit: -Infinity }

const isLead = (kind: string | undefined): boolean => kind === 'heading' || kind === 'question'
