import { words } from '../../text/words.ts'
import type { PassageReader } from './passage-reader.ts'
import type { QuestionWords } from './question-words.ts'

/** A longer cell is a sentence, which may say anything. */
const maxWordsOfCell = 4

/** Whether cells below a head may say what is asked, which neither the head nor its document names. */
const mayHoldUnnamed = (cells: readonly string[]): boolean =>
  cells.some((cell) => words(cell).length > maxWordsOfCell)

/** Whether one of the cells may be a name, and none of the question. */
const hasOtherName = (question: QuestionWords, cells: readonly string[]): boolean =>
  cells.some(
    (cell) =>
      /\p{L}{2}/u.test(cell) &&
      !/\p{N}/u.test(cell) &&
      question.coverOf(words(cell)).indexes.length === 0,
  )

/** Whether a row below a head has no cell of what is asked. `isOther` says that the question names other rows. */
export function lacksColumn(
  question: QuestionWords,
  reader: PassageReader,
  part: number,
  isColumnNamed: boolean,
  isOther: boolean,
): boolean {
  if ((isColumnNamed && !question.asksWho) || !reader.isBelowHead(part)) return false
  const cells = reader.cellsOf(part)
  if (mayHoldUnnamed(cells)) return false
  return !isColumnNamed || (question.asksWho && (isOther || !hasOtherName(question, cells)))
}
