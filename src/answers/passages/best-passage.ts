import { TimeSlice } from '../../process/time-slice.ts'
import type { Scored } from '../../retrieval/ranking.ts'
import type { QuestionWords } from './question-words.ts'
import type { TableHead } from '../../retrieval/table-heads.ts'
import { PassageReader } from './passage-reader.ts'
import { type Passage, readText, type ReadText } from './passages.ts'
import { isNamedBy } from './asked-rows.ts'
import { words } from '../../text/words.ts'

/** A fragment that was found; `rank` orders those of several datastores, higher for better ones. */
export type Quotable = Scored & { rank: number; head?: TableHead | undefined }

export type BestPassage = {
  source: number
  text: ReadText
  passage: Passage
  /** The share of the question that it holds, with its headings and neighbours. */
  cover: number
  /** Whether it is a row that the question names, in a text that is about the question. */
  isNamed: boolean
  /** Whether its text lacks what the question is about, as "with pacman". */
  lacksForeign: boolean
}

/** In a table of which a question names a row, other passages are about something else. */
const weightOfOther = 1
/** A text with a smaller share of a question says nothing else about the row that it names. */
const minShareAroundRow = 0.55
/** A passage must hold this share of the words that a question adds to the one before. */
const minShareOfAdded = 0.34

/**
 * The one passage of the sources that fits a question best; undefined if nothing can be quoted. `added` are the
 * words that a question adds to the one before, if any; the passage holds some of them.
 */
export async function bestPassage(
  question: QuestionWords,
  sources: Quotable[],
  signal: AbortSignal,
  added?: QuestionWords,
): Promise<BestPassage | undefined> {
  const slice = new TimeSlice()
  const [first] = sources
  const readers = await readersOf(question, sources, signal, slice)
  const namesRowIn = await namesByDocument(question, sources, readers, slice)
  const namesColumn = columnsByDocument(question, sources, readers)
  let best: BestPassage | undefined
  let bestFit = -Infinity
  for (const [source, reader] of readers.entries()) {
    const { found, rank } = sources[source]!
    const { text } = reader
    const ofAdded = added && (await PassageReader.open(added, text, slice))
    const namesRow = namesRowIn.get(found.datasourceId)
    const isColumnNamed = namesColumn(found.datasourceId)
    for (const passage of text.passages) {
      const isNamed = namesRow?.(passage, reader)
      if (lacksColumn(question, reader, passage.part, isColumnNamed, isNamed === false)) continue
      if (ofAdded && ofAdded.shareIn(passage) < minShareOfAdded) continue
      const { cover, fit } = reader.read(passage)
      const nearFirst = Math.max(0, 1 - (first!.rank - rank) / first!.rank)
      const whole = fit + nearFirst - (isNamed === false ? weightOfOther : 0)
      if (whole > bestFit) {
        bestFit = whole
        best = {
          source,
          text,
          passage,
          cover,
          isNamed: isNamed === true && reader.share >= minShareAroundRow,
          lacksForeign: reader.lacksForeign,
        }
      }
      await slice.pause()
    }
    signal.throwIfAborted()
  }
  return best
}

async function readersOf(
  question: QuestionWords,
  sources: Quotable[],
  signal: AbortSignal,
  slice: TimeSlice,
): Promise<PassageReader[]> {
  const readers: PassageReader[] = []
  for (const { found, head } of sources) {
    const text = await readText(found, head, slice)
    readers.push(await PassageReader.open(question, text, slice))
    signal.throwIfAborted()
  }
  return readers
}

/** Whether the found texts of a document name what is asked of a thing; also if the question does not say what. */
function columnsByDocument(
  { column }: QuestionWords,
  sources: Quotable[],
  readers: readonly PassageReader[],
): (id: string) => boolean {
  const naming = readers.entries().filter(([, reader]) => column.some((at) => reader.holds(at)))
  const ids = new Set(naming.map(([source]) => sources[source]!.found.datasourceId))
  return (id) => column.length === 0 || ids.has(id)
}

async function namesByDocument(
  question: QuestionWords,
  sources: Quotable[],
  readers: readonly PassageReader[],
  slice: TimeSlice,
): Promise<Map<string, NamesRow | undefined>> {
  const names = new Map<string, NamesRow | undefined>()
  const byDocument = Map.groupBy(readers, (_, index) => sources[index]!.found.datasourceId)
  for (const [id, some] of byDocument) names.set(id, await namesRowsOf(question, some, slice))
  return names
}

/** Tells the rows of a document that a question names. */
type NamesRow = (passage: Passage, reader: PassageReader) => boolean

/** Undefined where the found texts of a document are not mostly rows, or the question names none of these. */
async function namesRowsOf(
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
function lacksColumn(
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
