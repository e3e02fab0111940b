/** Which row of a table a question asks for. */
import { cellsOf } from '../../text/table-lines.ts'
import { words } from '../../text/words.ts'
import { codesIn } from './codes.ts'
import type { ReadText } from './passages.ts'
import type { QuestionWords } from './question-words.ts'

/** Whether a code of the question, if it has one, stands in the row, or in what the row stands under. */
export function hasAskedCode(
  { codes }: QuestionWords,
  { text, nameText, parts }: ReadText,
  row: number,
): boolean {
  if (codes.length === 0) return true
  const { headings, head } = parts[row]!
  const above = [row, ...headings, head].flatMap((one) => parts[one] ?? [])
  const said = [nameText, ...above.map(({ start, end }) => text.slice(start, end))]
  const held = new Set(said.flatMap(codesIn))
  return codes.some((code) => held.has(code))
}

/** The greatest share of a cell that the question has: 1 for Guinea, and 1/2 for Equatorial Guinea. */
export function exactness(question: QuestionWords, row: string): number {
  const shares = cellsOf(row).map((cell) => {
    const all = words(cell)
    const asked = all.filter((word) => question.coverOf([word]).indexes.length > 0)
    return asked.length / Math.max(1, all.length)
  })
  return Math.max(...shares)
}
