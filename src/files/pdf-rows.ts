import type { PdfWord } from './pdf-words.ts'

/** Words of one height from the left, without a gap that a column could be in. */
export type Segment = { words: PdfWord[]; left: number; right: number }
export type Row = { segments: Segment[]; y: number; size: number }

/** How far letters reach below and above their line, in their size. */
const [below, above] = [0.2, 0.7]
const minShare = 0.5
/** A wider gap, in the size of the letters, parts the cells of a table or columns. */
const minGap = 1.2

export function rowsOf(words: PdfWord[]): Row[] {
  const rows: WordsOfRow[] = []
  const usual = median(words.map(({ size }) => size))
  const isHigh = ({ text, size }: PdfWord) => size > minHigh * usual && !/[\p{L}\p{N}]/v.test(text)
  const low = words.filter((word) => !isHigh(word))
  for (const word of low.toSorted((a, b) => b.y - a.y)) addTo(rows, word, rows.slice(-maxOpen))
  // A brace may be as high as several rows.
  for (const sign of words.filter(isHigh)) addTo(rows, { ...sign, size: usual }, rows)
  const edges = sharedEdges(rows)
  return rows
    .map(({ words: some, y, size }) => {
      const leastBefore = ({ left }: PdfWord) =>
        size * (edges.has(Math.round(left)) ? minNarrowGap : minGap)
      return { segments: segmentsOf(some, leastBefore), y, size }
    })
    .toSorted((a, b) => b.y - a.y)
}

type WordsOfRow = { words: PdfWord[]; y: number; size: number }

const maxOpen = 4
const minHigh = 1.5

export const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

function addTo(rows: WordsOfRow[], word: PdfWord, near: WordsOfRow[]): void {
  const row = near.findLast((one) => isBeside(word, one))
  if (!row) rows.push({ words: [word], y: word.y, size: word.size })
  else {
    row.words.push(word)
    // A raised figure comes before the line that it is in.
    if (word.size > row.size) [row.y, row.size] = [word.y, word.size]
  }
}

function isBeside(a: { y: number; size: number }, b: { y: number; size: number }): boolean {
  const bottom = Math.max(a.y - below * a.size, b.y - below * b.size)
  const top = Math.min(a.y + above * a.size, b.y + above * b.size)
  return top - bottom > minShare * (below + above) * Math.min(a.size, b.size)
}

/** A narrower gap parts columns if many rows begin again behind it, at one place. */
const minNarrowGap = 0.6
const minRowsOfEdge = 8
const minShareOfEdge = 0.3

function sharedEdges(rows: WordsOfRow[]): ReadonlySet<number> {
  const counts = new Map<number, number>()
  for (const { words, size } of rows) {
    const sorted = words.toSorted((a, b) => a.left - b.left)
    for (const [index, { left }] of sorted.slice(1).entries()) {
      if (left - sorted[index]!.right < minNarrowGap * size) continue
      const edge = Math.round(left)
      counts.set(edge, (counts.get(edge) ?? 0) + 1)
    }
  }
  const least = Math.max(minRowsOfEdge, minShareOfEdge * rows.length)
  return new Set([...counts].flatMap(([edge, count]) => (count >= least ? edge : [])))
}

/** A gap that is wider than a blank, where cells of a table may meet. */
const minCellGap = 0.36

export const piecesOf = ({ words }: Segment, size: number): Segment[] =>
  segmentsOf(words, () => minCellGap * size)

function segmentsOf(words: PdfWord[], leastBefore: (word: PdfWord) => number): Segment[] {
  const segments: Segment[] = []
  for (const word of words.toSorted((a, b) => a.left - b.left)) {
    const last = segments.at(-1)
    if (last && word.left - last.right < leastBefore(word)) {
      last.words.push(word)
      last.right = Math.max(last.right, word.right)
    } else segments.push({ words: [word], left: word.left, right: word.right })
  }
  return segments
}

/** In sizes of the letters: the minimum gap that is read as a blank. */
const minBlank = 0.1
const ideographic =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]$/v
/** Between letters that take no blank a wider one is justification. */
const minIdeographicBlank = 0.6

export function textOfRow(segments: Segment[], size: number): string {
  const words = readingOrder(segments.flatMap((segment) => segment.words))
  let text = ''
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]
    const raised = before && isRaised(word, before, size) ? raisedText(word.text, text) : undefined
    if (raised !== undefined) text += raised
    else if (before && index === 1 && isNoteMark(before, word)) text = `[${text}] ${word.text}`
    else text += (before && isApart(before, word) ? ' ' : '') + word.text
    if (word.link !== '' && word.link !== words[index + 1]?.link) text += ` (${word.link})`
  }
  return text
}

function isApart(before: PdfWord, word: PdfWord): boolean {
  const [left, right] = before.left <= word.left ? [before, word] : [word, before]
  if (left.isEnd || before.isEnd) return true
  const size = Math.min(left.size, right.size)
  const gap = (right.left - left.right) / size
  const isIdeographic = ideographic.test(left.text.at(-1)!) && ideographic.test(right.text[0]!)
  return gap > (isIdeographic ? minIdeographicBlank : minBlank)
}

const maxRaisedSize = 0.85
const minRaise = 0.15

const isRaised = (word: PdfWord, before: PdfWord, size: number): boolean =>
  word.size <= maxRaisedSize * size &&
  word.y - before.y >= minRaise * size &&
  word.left - before.right < minBlank * size * 2

const isNoteMark = (mark: PdfWord, text: PdfWord): boolean =>
  /^\d{1,2}$/.test(mark.text) &&
  mark.size <= maxRaisedSize * text.size &&
  mark.y - text.y >= minRaise * text.size

const unit = /(?:^|[\s\d/])(?:[kcdm]?m|in|ft|yd)$/
const powers: Record<string, string> = { 2: '²', 3: '³' }

/** A raised number is an exponent of a number, a unit or a letter alone, or leads to a note. */
function raisedText(figure: string, before: string): string | undefined {
  const digits = /^[-−–+]?\d+$/.test(figure)
  if (unit.test(before) && powers[figure]) return powers[figure]
  if (/(?:\d|(?<![\p{L}\p{M}’'.])[a-zα-ω])$/u.test(before) && digits) return `^${figure}`
  return /^\d{1,2}$/.test(figure) && /[\p{L}.,;:!?\)\]"”’]$/v.test(before)
    ? `[${figure}]`
    : undefined
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/v

/** Words as they are read, of a line that is drawn from the left. */
function readingOrder(words: PdfWord[]): PdfWord[] {
  if (!words.some(isRightToLeft)) return words
  const isLine = 2 * lengthOf(words.filter(isRightToLeft)) > lengthOf(words.filter(hasLetters))
  return isLine ? fromTheRight(words) : withRuns(words, isRightToLeft, turned)
}

const isRightToLeft = ({ text }: PdfWord): boolean => rightToLeft.test(text)
const lengthOf = (words: PdfWord[]): number => words.reduce((sum, { text }) => sum + text.length, 0)
const hasLetters = ({ text }: PdfWord): boolean => /\p{L}/v.test(text)

/** Numbers and words of other scripts are read from the left even here. */
const fromTheRight = (words: PdfWord[]): PdfWord[] =>
  withRuns(
    words.toReversed(),
    (word) => !isRightToLeft(word),
    (run) => run.toReversed(),
  ).map((word) => (isRightToLeft(word) ? reversed(word) : word))

const turned = (run: PdfWord[]): PdfWord[] => run.toReversed().map(reversed)

function withRuns(
  words: PdfWord[],
  isOfRun: (word: PdfWord) => boolean,
  turn: (run: PdfWord[]) => PdfWord[],
) {
  const ordered: PdfWord[] = []
  let run: PdfWord[] = []
  for (const word of words) {
    if (isOfRun(word)) run.push(word)
    else ordered.push(...turn(run.splice(0)), word)
  }
  return [...ordered, ...turn(run)]
}

/** Its letters are drawn from the left as well; marks stay behind theirs. */
const reversed = (word: PdfWord): PdfWord => ({
  ...word,
  text: (word.text.match(/\d+(?:[.,:\/]\d+)*|.\p{M}*/gsv) ?? []).toReversed().join(''),
})
