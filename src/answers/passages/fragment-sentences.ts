import { TimeSlice } from '../../process/time-slice.ts'
import type { Found } from '../../store/types.ts'
import { sentencesOf } from '../../text/sentences.ts'
import { type Span, trimmedSpan } from '../../text/span.ts'
import type { Word } from '../../text/word.ts'
import { words } from '../../text/words.ts'
import { type Block, blocksIn, isSaid } from './blocks.ts'
import { tagsAlone } from './never-quoted.ts'

/** A sentence, or a row of a table, or a block of code; places are in the fragment's text. */
export type Sentence = Span & { text: string; words: readonly Word[] }

const known = new WeakMap<Found, Sentence[]>()

export async function sentencesIn(found: Found, slice: TimeSlice): Promise<Sentence[]> {
  const sentences = known.get(found) ?? (await toSentences(found.text, slice))
  known.set(found, sentences)
  return sentences
}

async function toSentences(text: string, slice: TimeSlice): Promise<Sentence[]> {
  const sentences: Sentence[] = []
  for (const block of blocksIn(text)) {
    for (const span of spansIn(text, block)) {
      const piece = text.slice(span.start, span.end)
      sentences.push({ ...span, text: piece, words: words(piece) })
      await slice.pause()
    }
  }
  return sentences
}

function spansIn(text: string, { kind, start, end }: Block): Span[] {
  const isProse = kind === 'prose' || kind === 'comment'
  const spans = isProse
    ? sentencesOf(text.slice(start, end))
    : [trimmedSpan(text.slice(start, end), { start: 0, end: end - start })]
  // Tags alone have their letters in names and attributes.
  const mayBack = (piece: string) => isSaid(piece) && !(isProse && tagsAlone.test(piece))
  return spans
    .map((span) => ({ start: start + span.start, end: start + span.end }))
    .filter((span) => mayBack(text.slice(span.start, span.end)))
}
