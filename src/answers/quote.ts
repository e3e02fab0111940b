import type { Citation } from '../../generated/types.gen.ts'
import { TimeSlice } from '../scheduling/time-slice.ts'
import type { TermStatistics } from '../store/search/term-sample.ts'
import type { Span } from '../text/splitting/kept-together.ts'
import { type Sentence, sentencesIn } from './fragment-sentences.ts'
import { QuestionWords } from './question-words.ts'
import type { Source } from './sources.ts'

const minGainOfSecond = 0.1
const precision = 1e4

/** The sentence of a source, or the two in a row, that back a claim best. */
export async function quoteFor(
  claim: string,
  { found }: Source,
  statistics: TermStatistics,
): Promise<Pick<Citation, 'quote' | 'support'>> {
  const words = new QuestionWords(claim, statistics)
  const slice = new TimeSlice()
  const sentences = await sentencesIn(found, slice)
  let best: { span: Span; support: number } | undefined
  for (const [index, sentence] of sentences.entries()) {
    await slice.pause()
    const support = supportOf(words, claim, sentence)
    if (support > (best?.support ?? -1)) best = { span: sentence, support }
    const next = sentences[index + 1]
    if (!next) continue
    const both = words.shareOf(words.coverOf([...sentence.words, ...next.words]))
    if (both >= (best?.support ?? 0) + minGainOfSecond) {
      best = { span: { start: sentence.start, end: next.end }, support: both }
    }
  }
  const { span, support } = best ?? { span: { start: 0, end: found.text.length }, support: 0 }
  const text = found.text.slice(span.start, span.end)
  const quote = { text, start: found.offset + span.start, end: found.offset + span.end }
  return { quote, support: Math.round(support * precision) / precision }
}

/** A sentence holds all of a claim of stop words, or nothing. */
function supportOf(words: QuestionWords, claim: string, sentence: Sentence): number {
  if (sentence.text.includes(claim)) return 1
  return words.shareOf(words.coverOf(sentence.words))
}
