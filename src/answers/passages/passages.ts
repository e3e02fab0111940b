import type { TimeSlice } from '../../process/time-slice.ts'
import type { Found } from '../../store/types.ts'
import { sentencesOf } from '../../text/sentences.ts'
import { lineStart, type Span } from '../../text/span.ts'
import type { Word } from '../../text/word.ts'
import { words } from '../../text/words.ts'
import type { TableHead } from '../../retrieval/retrieval.ts'
import { belowComment } from './identifiers.ts'
import { hasNumbers, isVersion } from './codes.ts'
import { maxLength, type Part } from './part.ts'
import { isData, isUnseenPart, isWallOfPictures } from './never-quoted.ts'
import { codeFence, partsIn } from './parts.ts'

const minStep = 100

/** A quotable span: a part, or some whole sentences of a longer one. */
export type Passage = Span & {
  /** The index of its part, and its pieces in that part; `to` is exclusive. */
  part: number
  from: number
  to: number
  opening: readonly Word[]
}

/** The words of a part are those of its pieces, which are its sentences if it is long. */
type ReadPart = Part & { pieces: (readonly Word[])[] }
export type ReadText = {
  /** The fragment, below the head of its table if that was cut off. */
  text: string
  placeOf: (at: number) => number
  nameText: string
  isBeginning: boolean
  name: readonly Word[]
  parts: ReadPart[]
  passages: Passage[]
}

export const textAt = ({ text }: ReadText, span: Span | undefined): string =>
  span ? text.slice(span.start, span.end) : ''

/** Whether a part stands below a heading with the version that is asked for, as in a list of changes. */
export const isOfAskedVersion = (
  text: ReadText,
  part: number,
  { numbers }: { numbers: readonly string[] },
): boolean =>
  numbers.some(isVersion) &&
  text.parts[part]!.headings.some((one) => hasNumbers(numbers, textAt(text, text.parts[one])))

const known = new WeakMap<Found, ReadText>()

export async function readText(
  found: Found,
  head: TableHead | undefined,
  slice: TimeSlice,
): Promise<ReadText> {
  const read = known.get(found) ?? (await toReadText(found, head, slice))
  known.set(found, read)
  return read
}

async function toReadText(
  { text: own, name, offset, fragmentCount }: Found,
  head: TableHead | undefined,
  slice: TimeSlice,
): Promise<ReadText> {
  const above = head ? `${head.text}\n` : ''
  const text = above + own
  const placeOf = (at: number): number =>
    at < above.length ? head!.start + at : offset + at - above.length
  const place = { isBeginning: above === '' && offset === 0, goesOn: fragmentCount > 1 }
  const parts: ReadPart[] = []
  const passages: Passage[] = []
  for (const [index, one] of partsIn(text, place).entries()) {
    // What stands between the head and the fragment is not in the text.
    const isAcross = one.start < above.length && one.end > above.length
    const part = isAcross ? { ...one, start: above.length } : one
    const spans = piecesOf(text, part)
    const pieces: (readonly Word[])[] = []
    for (const { start, end } of spans) {
      pieces.push(words(text.slice(start, end)))
      await slice.pause()
    }
    parts.push({ ...part, pieces })
    const isUnseen = isUnseenPart(part.kind, text.slice(part.start, part.end), name)
    const windows = quotable.has(part.kind) && !isUnseen ? windowsIn(text, part, spans) : []
    for (const { start, end, from, to } of windows) {
      const said = text.slice(start, end)
      if (part.kind === 'text' && isData(said)) continue
      if (part.kind === 'row' && part.cells !== '<' && isWallOfPictures(said)) continue
      const opening = words(openingOf(part.cells === '=' ? belowComment(said) : said))
      passages.push({ start, end, part: index, from, to, opening })
      await slice.pause()
    }
  }
  return {
    text,
    placeOf,
    isBeginning: place.isBeginning,
    nameText: name,
    name: words(name),
    parts,
    passages,
  }
}

const quotable = new Set<Part['kind']>(['text', 'name', 'row', 'code', 'comment'])

function piecesOf(text: string, { start, end, kind }: Part): Span[] {
  if (end - start <= maxLength || kind === 'row') return [{ start, end }]
  const whole = text.slice(start, end)
  const spans = kind === 'code' ? linesOf(whole) : sentencesOf(whole)
  return spans.flatMap((span) => cut(text, { start: start + span.start, end: start + span.end }))
}

const linesOf = (text: string): Span[] =>
  Array.from(text.matchAll(/\S[^\n]*/g), ({ 0: line, index }) => ({
    start: index,
    end: index + line.trimEnd().length,
  })).filter((span) => !codeFence.test(text.slice(span.start, span.end)))

function cut(text: string, { start, end }: Span): Span[] {
  const spans: Span[] = []
  let from = start
  while (end - from > maxLength) {
    const blank = text.lastIndexOf(' ', from + maxLength)
    const to = blank > from ? blank : endOfCut(text, from)
    spans.push({ start: from, end: to })
    from = blank > from ? blank + 1 : to
  }
  return [...spans, { start: from, end }]
}

const partOfCharacter = /[\uDC00-\uDFFF\p{M}\u200d]/u

/** As far as may be quoted, but between characters. */
function endOfCut(text: string, from: number): number {
  let to = from + maxLength
  while (to > from + 1 && partOfCharacter.test(text[to] ?? '')) to -= 1
  return to
}

type Window = Span & { from: number; to: number }

/** Whether a line begins here with what ends a statement above it. */
const isClosing = (text: string, at: number): boolean =>
  /[\])}]/.test(text[at]!) && text.slice(lineStart(text, at), at).trim() === ''

/** As many pieces in a row as may be quoted. Of code all but the first begin with a statement. */
function windowsIn(text: string, { kind }: Part, pieces: Span[]): Window[] {
  const windows: Window[] = []
  for (const [from, { start }] of pieces.entries()) {
    const last = windows.at(-1)
    const isEnd = kind === 'code' && isClosing(text, start)
    if (last && (start < last.start + minStep || isEnd)) continue
    const next = pieces.findIndex(({ end }, at) => at > from && end - start > maxLength)
    const to = next < 0 ? pieces.length : next
    windows.push({ start, end: pieces[to - 1]!.end, from, to })
    if (to === pieces.length) break
  }
  return windows
}

const sixWords = /^(?:[^\p{L}\p{N}]*[\p{L}\p{N}]\S*){1,6}/u

const openingOf = (text: string): string => sixWords.exec(text.slice(0, maxOpening))?.[0] ?? ''

/** A text without blanks has no words to count. */
const maxOpening = 60
