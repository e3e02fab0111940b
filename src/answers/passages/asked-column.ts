import { words } from '../../text/words.ts'
import type { PassageReader } from './passage-reader.ts'
import type { QuestionWords } from './question-words.ts'

const word = String.raw`\p{L}[\p{L}\-]{0,40}`
/** As in `the price of it`, `its price`, `how many pages has it` and `which cover does it have`. */
const columns = [
  String.raw`(?:\b(?:what|which|who)(?:['’]?s|\s+(?:is|are|was|were))|\b(?:me|know)|^)\s+the\s+(?<column>(?:${word}\s+){1,3})(?:of|for)\s`,
  String.raw`^\s*(?!wh|how\b)(?<column>(?:${word}\s+){1,3})of\s`,
  String.raw`['’]s\s+(?<column>${word}(?:\s+${word})?)\s*\?*\s*$`,
  String.raw`\bhow\s+many\s+(?<column>${word})\s+(?:does|did|has|had|have)\s`,
  String.raw`^\s*(?:which|what)\s+(?<column>(?:${word}\s+){1,2})(?:does|did)\s`,
].map((pattern) => new RegExp(pattern, 'iu'))

/** What an English question asks of a thing, which a table may have a column of; empty if it says no such thing. */
export const columnIn = (question: string): string =>
  columns.map((pattern) => pattern.exec(question)?.groups?.['column']).find(Boolean) ?? ''

export const asksWho = (question: string): boolean => /\bwho(?:se|m)?\b/iu.test(question)

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
