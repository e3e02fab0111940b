import { TimeSlice } from '../scheduling/time-slice.ts'
import type { Found } from '../store/search/found.ts'
import { sentencesOf } from '../text/sentences.ts'
import type { Span } from '../text/splitting/kept-together.ts'
import type { Word } from '../text/word.ts'
import { words } from '../text/words.ts'
import { type Block, blocksIn, isSaid } from './blocks.ts'

/** A sentence, or a row of a table, or a block of code; places are in the fragment's text. */
export type Sentence = Span & {
  text: string
  words: readonly Word[]
  /** Whether it only tells what comes next: a heading, a question, the head of a table. */
  isLead: boolean
  /** Whether it is part of a comment, which readers of the text do not see. */
  isComment: boolean
  /** The index of the sentence before it; of a row, that of the head of its table. */
  before: number
  /** The index of the heading that it stands under, -1 for none in the fragment. */
  under: number
}

const known = new WeakMap<Found, Sentence[]>()

/** Lets others have their turn where a text is long. */
export async function sentencesIn(found: Found, slice: TimeSlice): Promise<Sentence[]> {
  const sentences = known.get(found) ?? (await toSentences(found.text, slice))
  known.set(found, sentences)
  return sentences
}

async function toSentences(text: string, slice: TimeSlice): Promise<Sentence[]> {
  const sentences: Sentence[] = []
  const blocks = blocksIn(text)
  const hasBody = blocks.some(({ kind }) => kind !== 'heading')
  let [head, last, under] = [-1, -1, -1]
  for (const block of blocks) {
    if (block.kind !== 'row') head = -1
    const isComment = block.kind === 'comment'
    for (const span of spansIn(text, block)) {
      const before = head < 0 ? last : head
      // What stands below a comment is not about it.
      if (!isComment) last = sentences.length
      if (block.isHead) head = last
      const piece = text.slice(span.start, span.end)
      const isTitle = block.isHead || (block.kind === 'heading' && hasBody)
      const isAbove = isInCapitals(piece) && /\p{Ll}/u.test(text.slice(span.end, block.end))
      const isLead = isTitle || isAbove || isQuestion(piece)
      const place = { ...span, before, under }
      sentences.push({ ...place, text: piece, words: words(piece), isLead, isComment })
      if (block.kind === 'heading') under = sentences.length - 1
      await slice.pause()
    }
  }
  return sentences
}

function spansIn(text: string, { kind, start, end }: Block): Span[] {
  const whole = text.slice(start, end)
  const isProse = kind === 'prose' || kind === 'comment'
  const spans = isProse ? sentencesOf(whole).filter(isNoAnchor(whole)) : [trimmed(whole)]
  return spans
    .map((span) => ({ start: start + span.start, end: start + span.end }))
    .filter((span) => isSaid(text.slice(span.start, span.end)))
}

function trimmed(text: string): Span {
  const start = text.length - text.trimStart().length
  return { start, end: start + text.trim().length }
}

/** A sentence that is only tags has its letters in their names and attributes. */
const isNoAnchor =
  (text: string) =>
  ({ start, end }: Span): boolean =>
    !/^(?:<\/?\p{L}[^<>]*>\s*)+$/u.test(text.slice(start, end))

/** As headings of manual pages and licences are; values are no headings. */
const isInCapitals = (text: string): boolean =>
  text === text.toUpperCase() && /^(?=.*\p{Lu}{2})[^\d=]{1,79}[^\d=.:;!]$/u.test(text)

const isQuestion = (text: string): boolean => /[?？؟]["'”’»)]*$/u.test(text)
