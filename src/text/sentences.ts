import { type Span, trimmedSpan } from './span.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Ends like `Dr.`, `St.` or `U.S.`, which a sentence seldom has. */
const abbreviation = /(?:^|[\s(.])\p{Lu}\p{L}{0,2}\.\s+$/u
/** A `?` or `!` that ends no sentence: it is a sign, as in `the ? operator`, or it ends what is quoted. */
const markInside =
  /(?:\b(?:an?|and|key|mark|operator|or|sign|symbol|the|with)\s[?!]|[\p{Ps}\p{Pi}"'`][?!]|[?!][\p{Pe}\p{Pf}"'`])\s+$/iu
const smallLetter = /^\p{Ll}/u
/** The address before a query, as in `https://shop.example/refund?source=help`. */
const addressBefore = /[/.]\S*\?$/
const maxAddress = 200
const query = /^[\w%]/
/** A line that a margin has cut: it is long, and the next one is no item of a list and no `[link]: …`. */
const cutLine =
  /(?<=[^\n]{50}[^\r\n.!?:;。！？।؟])\r?\n(?![^\S\n]*(?:\[[^\n\]]+\]:|\d{1,3}[.\)]\s))(?=[^\S\n]*(?:[^\s\p{P}\p{S}]|[\p{Ps}\p{Pi}"'`]))|\r?\n(?=\p{Ll})/gv
/** The number of an item of a list belongs to its sentence. */
const number = /^\s*\d{1,3}\.\s+$/

/** The sentences of a text, each without the white space around it; a line that ends early is one, too. */
export function sentencesOf(text: string): Span[] {
  const spans: Span[] = []
  let start = 0
  // Blanks are as long as the line end they replace, so that offsets stay.
  const joined = text.replace(cutLine, (lineEnd) => ' '.repeat(lineEnd.length))
  for (const { segment, index } of segmenter.segment(joined)) {
    const end = index + segment.length
    const isNumber = number.test(joined.slice(start, end))
    if (isNumber || goesOn(segment, joined.slice(end, end + 2))) continue
    spans.push({ start, end })
    start = end
  }
  spans.push({ start, end: text.length })
  return spans.map((span) => trimmedSpan(text, span)).filter((span) => span.start < span.end)
}

function goesOn(segment: string, next: string): boolean {
  if (abbreviation.test(segment)) return true
  // A mark before a backtick ends no sentence, but code, as in `:?`.
  if (next[0] === '`' && /[.?!]$/.test(segment)) return true
  const isAddress = segment.endsWith('?') && addressBefore.test(segment.slice(-maxAddress))
  if (isAddress && query.test(next)) return true
  return markInside.test(segment) && smallLetter.test(next)
}
