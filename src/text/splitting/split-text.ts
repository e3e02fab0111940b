import { defaults } from '../../../generated/defaults.gen.ts'
import { behindBlanks, skipBlanks, visibleEnd } from '../blanks.ts'
import { cutOf } from './cuts.ts'
import type { Heading } from './headings.ts'
import type { Span } from '../span.ts'
import { type SourceLine, LineReader } from './lines.ts'

type FragmentSpan = Span & { headings: readonly string[] }

/** How far to read ahead: a fence or row that begins at the end of a fragment must be seen whole. */
const reachOf = (maxLength: number): number => 2 * maxLength + 200

/**
 * Cuts a text into spans that cover it, none blank. Neighbours may overlap by whole sentences. Steps take equally
 * long. `maxLength` is in UTF-16 code units, without the blanks at the ends. No span crosses one of the `pageStarts`.
 */
export function* splitText(
  text: string,
  maxLength: number = defaults.FragmentLength,
  pageStarts: readonly number[] = [],
): Generator<FragmentSpan> {
  const reader = new LineReader(text)
  const path = new HeadingPath()
  const lastContent = visibleEnd(text)
  const ends = [...pageStarts.filter((pageStart) => pageStart < lastContent), text.length].values()
  let [end, contentEnd] = [0, 0]
  let lines: SourceLine[] = []
  let [start, covered] = [0, 0]
  for (;;) {
    const content = skipBlanks(text, start)
    while (end <= content && end < text.length) {
      end = ends.next().value!
      contentEnd = visibleEnd(text, end)
    }
    lines = readOn(reader, lines, content + reachOf(maxLength))
    const first = lines.find((line) => line.end > content)
    const headings = path.titlesAbove(first?.start === start ? first.heading?.level : undefined)
    const isWhole = contentEnd - content <= maxLength
    const cut = isWhole ? { at: end, next: end } : cutOf(text, lines, start, covered, maxLength)
    covered = Math.min(end, behindBlanks(text, cut.at))
    yield { start, end: covered, headings }
    if (covered === text.length) return
    const next = cut.next < cut.at ? cut.next : covered
    const passed = lines.filter((line) => line.start >= start && line.start < next)
    for (const { heading } of passed) if (heading) path.enter(heading)
    lines = lines.filter((line) => line.end > next)
    start = next
  }
}

function readOn(reader: LineReader, lines: SourceLine[], end: number): SourceLine[] {
  const read: SourceLine[] = []
  while (reader.position < end) {
    const line = reader.next()
    if (!line) break
    read.push(line)
  }
  return [...lines, ...read]
}

class HeadingPath {
  #open: Heading[] = []

  enter(heading: Heading): void {
    this.#open = [...this.#open.filter(({ level }) => level < heading.level), heading]
  }

  titlesAbove(below = Infinity): string[] {
    return this.#open.filter(({ level }) => level < below).map(({ title }) => title)
  }
}
