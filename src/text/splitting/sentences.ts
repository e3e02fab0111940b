import type { SourceLine } from './lines.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

const listItem = /^\s*(?:[\-*+•‣◦]|\d{1,3}[.\)])\s/v
const firstWord = /\S+/
/** A sentence opens with anything that is seen but a small letter. */
const opening = /^\s*[^\s\p{Ll}]/v
/** Writers wrap their lines by hand too, not all at the last word that fits. */
const shareOfWidth = 0.7

/** `opensLine` says that a line feed before it is more than a wrap. */
type SentenceStart = { at: number; opensLine: boolean }

/** Where sentences start in the lines, none at a line feed that only wraps a paragraph. */
export function sentenceStarts(text: string, lines: SourceLine[]): SentenceStart[] {
  const from = lines[0]?.start ?? 0
  const joined = unwrapped(text, lines)
  return Array.from(segmenter.segment(joined))
    .filter(({ index, segment }) => index > 0 && opening.test(segment))
    .map(({ index }) => atIndentation(joined, index))
    .map((start) => ({ at: from + start, opensLine: joined[start - 1] === '\n' }))
}

function unwrapped(text: string, lines: SourceLine[]): string {
  const bodies = lines.map(({ start, end }) => text.slice(start, end))
  const widths = paragraphWidthOfEach(lines, bodies)
  const joined = bodies.map((body, index) => {
    const next = bodies[index + 1]
    const isWrapped =
      next !== undefined &&
      lines[index + 1]!.kind === 'prose' &&
      lines[index]!.kind === 'prose' &&
      wraps(body, next, widths[index]!)
    return isWrapped ? body.replace(/\r?\n$/, (feed) => ' '.repeat(feed.length)) : body
  })
  return joined.join('')
}

function wraps(line: string, next: string, width: number): boolean {
  if (listItem.test(next)) return false
  const [word = ''] = firstWord.exec(next) ?? []
  return line.trimEnd().length + 1 + word.length > shareOfWidth * width
}

function paragraphWidthOfEach(lines: SourceLine[], bodies: string[]): number[] {
  const widths: number[] = []
  let first = 0
  for (let index = 1; index <= lines.length; index++) {
    if (lines[index]?.kind === 'prose' && lines[first]!.kind === 'prose') continue
    const longest = Math.max(...bodies.slice(first, index).map((body) => body.trimEnd().length))
    while (first < index) {
      widths.push(longest)
      first++
    }
  }
  return widths
}

function atIndentation(text: string, start: number): number {
  let lineStart = start
  while (text[lineStart - 1] === ' ' || text[lineStart - 1] === '\t') lineStart--
  return text[lineStart - 1] === '\n' ? lineStart : start
}
