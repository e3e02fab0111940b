import { cellsOf } from '../../text/table-lines.ts'
import { words } from '../../text/words.ts'
import { codesIn, hasNumbers, isVersion } from './codes.ts'
import { spacedCellsOf } from '../../text/spaced-lines.ts'
import { jsonValuesIn } from './json-rows.ts'
import type { Part } from './part.ts'
import type { ReadText } from './passages.ts'
import type { QuestionWords } from './question-words.ts'
import type { Cover } from './cover.ts'

/** Whether the row has a code of the question, except codes that it stands under, such as a version in a heading. */
export function hasCodeOfQuestion(
  { codes }: QuestionWords,
  { text, nameText, parts }: ReadText,
  row: number,
): boolean {
  if (codes.length === 0) return true
  const { headings, head } = parts[row]!
  const codesOf = (part: number) => {
    const { start, end } = parts[part] ?? { start: 0, end: 0 }
    return codesIn(text.slice(start, end))
  }
  const names = nameText.split('/').flatMap((name) => [name, name.replace(/\.\w+$/, '')])
  const above = new Set([...names.flatMap(codesIn), ...[...headings, head].flatMap(codesOf)])
  const asked = codes.filter((code) => !above.has(code))
  const held = new Set(codesOf(row))
  return asked.length === 0 || asked.some((code) => held.has(code))
}

/** The cells of a row, whose part says how they are parted. */
export function cellsIn(row: string, { cells }: Part): string[] {
  if (row.startsWith('{')) return jsonValuesIn(row)
  return cells === ' ' ? spacedCellsOf(row) : cells ? row.split(cells) : cellsOf(row)
}

/** Whether a question has all words of one of its cells, as they are written. Stop words alone name a row in capitals only. */
export function isNamedBy(question: QuestionWords, row: string, cells: readonly string[]): boolean {
  if (question.numbers.length > 0) return hasNumbers(question.numbers, row)
  return cells.some((cell) => {
    if (question.capitals.has(cell)) return true
    const all = words(cell)
    return (
      all.every(({ text }) => question.texts.has(text)) &&
      question.shareOf(question.coverOf(all)) > 0
    )
  })
}

/** Of cells whose words are all in the question, the one with more of it counts a little more: `8 to 12` before `12`. */
const weightOfMore = 0.1

/** The share of its best cell's words that the question has: 1 for Guinea, and 1/2 for Equatorial Guinea. */
export function exactness(question: QuestionWords, cells: readonly string[]): number {
  const shares = cells.map((cell) => {
    const all = words(cell)
    const asked = all.filter((word) => question.coverOf([word]).indexes.length > 0)
    if (asked.length === 0) return 0
    const isWhole = all.every((word) => asked.includes(word) || question.texts.has(word.text))
    if (isWhole) return 1 + weightOfMore * question.shareOf(question.coverOf(all))
    return asked.length / all.length
  })
  return Math.max(...shares)
}

/** Whether a part stands below a heading with the version that is asked for, as in a list of changes. */
export const isOfAskedVersion = (
  { numbers }: QuestionWords,
  { text, parts }: ReadText,
  part: number,
): boolean =>
  numbers.some(isVersion) &&
  parts[part]!.headings.some((heading) => {
    const { start, end } = parts[heading]!
    return hasNumbers(numbers, text.slice(start, end))
  })

export const hasWord = (cover: Cover | undefined, word: number): boolean =>
  cover?.indexes.includes(word) ?? false

/** The rows that are heads of rows which have a word of the question that the head has not. */
export function headsIn(parts: ReadText['parts'], covers: readonly Cover[]): Set<number> {
  const rows = parts.entries().filter(([index, { kind, head }]) => {
    const hasWords = covers[index]!.indexes.some((word) => !hasWord(covers[head], word))
    return kind === 'row' && hasWords
  })
  return new Set(rows.map(([, { head }]) => head))
}

/** As `#code	name`: a comment to the programs that read the table. Settings are none, nor are tags, nor `# of cpus` below other rows. */
export function isMarkedHead({ text, parts }: ReadText, index: number): boolean {
  const rowAt = (at: number) => {
    const part = parts[at]
    return part && ['head', 'row'].includes(part.kind) ? text.slice(part.start, part.end) : ''
  }
  const isTag = (at: number) => /^#\p{L}/v.test(rowAt(at))
  const isSetting = parts[index]?.cells === '='
  if (isSetting || !/^#\s*\p{L}/v.test(rowAt(index))) return false
  let first = index
  while (rowAt(first - 1) !== '') first -= 1
  if (!rowAt(first).startsWith('#')) return false
  return !isTag(index) || !(isTag(index - 1) || isTag(index + 1))
}
