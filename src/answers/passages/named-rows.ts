import type { TimeSlice } from '../../process/time-slice.ts'
import { isNamedBy } from './asked-row.ts'
import type { PassageReader } from './passage-reader.ts'
import type { Passage } from './passages.ts'
import type { QuestionWords } from './question-words.ts'

/** Tells the rows of a document that a question names. */
export type NamesRow = (passage: Passage, reader: PassageReader) => boolean

/** Undefined where the found texts of a document are not mostly rows, or the question names none of these. */
export async function namesRowsOf(
  question: QuestionWords,
  readers: readonly PassageReader[],
  slice: TimeSlice,
): Promise<NamesRow | undefined> {
  const areRows = readers.flatMap((reader) =>
    reader.text.parts.map((_, part) => reader.isRow(part)),
  )
  if (2 * areRows.filter(Boolean).length <= areRows.length) return undefined
  const named = new Map<PassageReader, Set<number>>()
  for (const reader of readers) {
    const rows = new Set<number>()
    for (const { part } of reader.text.passages) {
      if (reader.isRow(part) && isNamedBy(question, reader.textOfPart(part), reader.cellsOf(part)))
        rows.add(part)
      await slice.pause()
    }
    if (rows.size > 0) named.set(reader, rows)
  }
  return named.size > 0 ? ({ part }, reader) => named.get(reader)?.has(part) === true : undefined
}
