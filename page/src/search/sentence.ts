import type { Fragment } from '../../../client/src/index.ts'
import type { Opened } from '../shared/document-text.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** Where the sentence of a fragment stands that has most of the words sought; without any, the fragment. */
export function bestSentence({ text, span, highlights = [] }: Fragment): Opened['marked'] {
  if (!span || highlights.length === 0) return span && { ...span, text }
  const sentences = Array.from(segmenter.segment(text), ({ segment, index }) => {
    const quoted = segment.trimEnd()
    const end = index + quoted.length
    const within = highlights.filter((one) => one.start >= index && one.start < end)
    // A heading names what the sentences below it say.
    const count = within.length - (segment.startsWith('#') ? 1.5 : 0)
    return { start: span.start + index, end: span.start + end, text: quoted, count }
  })
  const [best] = sentences.toSorted((one, other) => other.count - one.count)
  return best && { ...span, start: best.start, end: best.end, text: best.text }
}
