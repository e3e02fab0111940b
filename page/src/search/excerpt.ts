import type { Fragment } from '../../../client/src/index.ts'
import type { OpenDocument } from '../shared/document-text.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** The sentence of a fragment with most of the query's words, or the whole fragment if it has none. */
export function bestSentence(fragment: Fragment): OpenDocument['marked'] {
  const { text, span } = fragment
  if (!span) return undefined
  const { start, end } = bestOf(fragment)
  return { ...span, start: span.start + start, end: span.start + end, text: text.slice(start, end) }
}

function bestOf({ text, highlights = [] }: Fragment): { start: number; end: number } {
  if (highlights.length === 0) return { start: 0, end: text.length }
  const sentences = Array.from(segmenter.segment(text), ({ segment, index }) => {
    const end = index + segment.trimEnd().length
    const within = highlights.filter((one) => one.start >= index && one.start < end)
    // A heading names what the sentences below it say.
    const count = within.length - (segment.startsWith('#') ? 1.5 : 0)
    return { start: index, end, count }
  })
  const [best] = sentences.toSorted((one, other) => other.count - one.count)
  return best ?? { start: 0, end: text.length }
}

const [before, after] = [200, 400]

/** The part to show of a long fragment: whole sentences around the best one. */
export function excerptOf(fragment: Fragment): { start: number; end: number } {
  const { text } = fragment
  if (text.length <= before + after) return { start: 0, end: text.length }
  const at = bestOf(fragment).start
  const sentences = segmenter.segment(text)
  const first = sentences.containing(Math.max(0, at - before))
  const last = sentences.containing(at + after)
  return {
    start: first?.index ?? 0,
    end: last ? last.index + last.segment.trimEnd().length : text.length,
  }
}
