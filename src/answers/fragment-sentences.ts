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
  /** The index of the sentence before it; of a row, that of the head of its table. */
  before: number
}

const known = new WeakMap<Found, Sentence[]>()

export function sentencesIn(found: Found): Sentence[] {
  const sentences = known.get(found) ?? toSentences(found.text)
  known.set(found, sentences)
  return sentences
}

function toSentences(text: string): Sentence[] {
  const sentences: Sentence[] = []
  const blocks = blocksIn(text)
  const hasBody = blocks.some(({ kind }) => kind !== 'heading')
  let head = -1
  for (const block of blocks) {
    if (block.kind !== 'row') head = -1
    for (const { start, end } of spansIn(text, block)) {
      const before = head < 0 ? sentences.length - 1 : head
      if (block.isHead) head = sentences.length
      const piece = text.slice(start, end)
      const isTitle = block.isHead || (block.kind === 'heading' && hasBody)
      const isLead = isTitle || isQuestion(piece)
      sentences.push({ text: piece, start, end, words: words(piece), isLead, before })
    }
  }
  return sentences
}

function spansIn(text: string, { kind, start, end }: Block): Span[] {
  const whole = text.slice(start, end)
  const spans = kind === 'prose' ? sentencesOf(whole) : [trimmed(whole)]
  return spans
    .map((span) => ({ start: start + span.start, end: start + span.end }))
    .filter((span) => isSaid(text.slice(span.start, span.end)))
}

function trimmed(text: string): Span {
  const start = text.length - text.trimStart().length
  return { start, end: start + text.trim().length }
}

const isQuestion = (text: string): boolean => /[?？؟]["'”’»)]*$/u.test(text)
