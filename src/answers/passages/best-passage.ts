import { TimeSlice } from '../../process/time-slice.ts'
import type { Scored } from '../../retrieval/ranking.ts'
import type { QuestionWords } from './question-words.ts'
import type { TableHead } from '../../retrieval/retrieval.ts'
import { PassageReader } from './passage-reader.ts'
import { type Passage, readText, type ReadText } from './passages.ts'

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
/** A text may tell of several things one after the other. */
const weightOfSubject = 0.25
/** A text with a smaller share of a question says nothing else about the row that it names. */
const minShareAroundRow = 0.55
/** Words of which a passage, or the text around it, must hold at least this share. */
export type Needed = { words: QuestionWords; share: number; isAround?: boolean }

/** The passage that fits a question best and holds what is needed. */
export async function bestPassage(
  question: QuestionWords,
  sources: Quotable[],
  signal: AbortSignal,
  needed: readonly Needed[] = [],
): Promise<BestPassage | undefined> {
  const slice = new TimeSlice()
  const readers = await readersOf(question, sources, signal, slice)
  const namedRows = await namedRowsOf(sources, readers, slice)
  const namesColumn = columnsByDocument(question, sources, readers)
  let best: BestPassage | undefined
  let bestFit = -Infinity
  for (const [source, reader] of readers.entries()) {
    const needs: ((passage: Passage) => boolean)[] = []
    let subject: PassageReader | undefined
    for (const { words, share, isAround } of needed) {
      const of = await PassageReader.open(words, reader.text, slice)
      if (isAround) subject = of
      const around = isAround ? of.share : undefined
      needs.push((passage) => (around ?? of.shareIn(passage)) >= share)
    }
    const isColumnNamed = namesColumn(sources[source]!.found.datasourceId)
    for (const passage of reader.text.passages) {
      const isNamed = namedRows.get(reader)?.has(passage.part)
      if (reader.rows.lacksColumn(passage.part, isColumnNamed, isNamed === false)) continue
      if (!needs.every((isHeld) => isHeld(passage))) continue
      const { cover, fit } = reader.read(passage)
      const ofSubject = weightOfSubject * (subject?.shareIn(passage) ?? 0)
      const ofOther = isNamed === false ? weightOfOther : 0
      const whole = fit + nearFirst(sources, source) + ofSubject - ofOther
      if (whole > bestFit) {
        bestFit = whole
        best = toBest(source, reader, passage, cover, isNamed === true)
      }
      await slice.pause()
    }
    signal.throwIfAborted()
  }
  return best
}

const nearFirst = (sources: Quotable[], source: number): number => {
  const first = sources[0]!.rank
  return Math.max(0, 1 - (first - sources[source]!.rank) / first)
}

const toBest = (
  source: number,
  reader: PassageReader,
  passage: Passage,
  cover: number,
  isRowNamed: boolean,
): BestPassage => ({
  source,
  text: reader.text,
  passage,
  cover,
  isNamed: isRowNamed && reader.share >= minShareAroundRow,
  lacksForeign: reader.lacksForeign,
})

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

/** The rows that the question names most surely, by reader; nothing of a document that is not mostly rows, or of which it names none. */
async function namedRowsOf(
  sources: Quotable[],
  readers: readonly PassageReader[],
  slice: TimeSlice,
): Promise<Map<PassageReader, Set<number>>> {
  const named = new Map<PassageReader, Set<number>>()
  const byDocument = Map.groupBy(readers, (_, index) => sources[index]!.found.datasourceId)
  for (const some of byDocument.values().filter(areMostlyRows)) {
    const namings: [PassageReader, Map<number, number>][] = []
    for (const reader of some) namings.push([reader, await namingsIn(reader, slice)])
    const surest = Math.max(...namings.flatMap(([, rows]) => [...rows.values()]), 0)
    if (surest === 0) continue
    for (const [reader, rows] of namings)
      named.set(reader, new Set(rows.keys().filter((row) => rows.get(row) === surest)))
  }
  return named
}

function areMostlyRows(readers: readonly PassageReader[]): boolean {
  const areRows = readers.flatMap(({ text, rows }) => text.parts.map((_, part) => rows.has(part)))
  return 2 * areRows.filter(Boolean).length > areRows.length
}

async function namingsIn(reader: PassageReader, slice: TimeSlice): Promise<Map<number, number>> {
  const namings = new Map<number, number>()
  for (const { part } of reader.text.passages) {
    if (reader.rows.has(part)) namings.set(part, reader.rows.namingOf(part))
    await slice.pause()
  }
  return namings
}
