import type { Found } from '../store/search/found.ts'
import { sentencesOf } from '../text/sentences.ts'
import type { Span } from '../text/splitting/kept-together.ts'
import { LineReader } from '../text/splitting/lines.ts'
import type { Word } from '../text/word.ts'
import { words } from '../text/words.ts'

/** A sentence of a fragment; places are in the fragment's text. */
export type Sentence = Span & {
  text: string
  words: readonly Word[]
  /** Whether it only says what the next one is about, as a heading does, or a question. */
  isLead: boolean
}

const known = new WeakMap<Found, Sentence[]>()

export function sentencesIn(found: Found): Sentence[] {
  const sentences = known.get(found) ?? toSentences(found.text)
  known.set(found, sentences)
  return sentences
}

/** Without what has no letter or digit, such as the line below a title. */
function toSentences(text: string): Sentence[] {
  const spans = sentencesOf(text).filter(({ start, end }) =>
    /[\p{L}\p{N}]/u.test(text.slice(start, end)),
  )
  const headings = headingsIn(text)
  const isHeading = ({ start, end }: Span) =>
    headings.some((line) => line.start < end && line.end > start)
  const hasBody = spans.some((span) => !isHeading(span))
  return spans.map((span) => {
    const { start, end } = span
    const piece = text.slice(start, end)
    const isLead = isQuestion(piece) || (hasBody && isHeading(span))
    return { text: piece, start, end, words: words(piece), isLead }
  })
}

function headingsIn(text: string): Span[] {
  const reader = new LineReader(text)
  const headings: Span[] = []
  for (let line = reader.next(); line; line = reader.next()) {
    if (line.kind === 'heading') headings.push(line)
  }
  return headings
}

const isQuestion = (text: string): boolean => /[?？؟]["'”’»)]*$/u.test(text)
