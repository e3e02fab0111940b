import { isNamedBy } from './asked-row.ts'
import type { PassageReader } from './passage-reader.ts'
import type { Passage } from './passages.ts'
import type { QuestionWords } from './question-words.ts'

/** Tells the rows of a document that a question names. */
export type NamesRow = (passage: Passage, reader: PassageReader) => boolean

/** Undefined where the found texts of a document are not mostly rows, or the question names none of these. */
export function namesRowsOf(
  question: QuestionWords,
  readers: readonly PassageReader[],
): NamesRow | undefined {
  const areRows = readers.flatMap((reader) =>
    reader.text.parts.map((_, part) => reader.isRow(part)),
  )
  if (2 * areRows.filter(Boolean).length <= areRows.length) return undefined
  const names: NamesRow = ({ part }, reader) =>
    reader.isRow(part) && isNamedBy(question, reader.textOfPart(part))
  const isOneNamed = readers.some((reader) =>
    reader.text.passages.some((passage) => names(passage, reader)),
  )
  return isOneNamed ? names : undefined
}
