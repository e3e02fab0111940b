import type { TimeSlice } from '../../process/time-slice.ts'
import { AskedMeaning } from './asked-meaning.ts'
import { AskedRows } from './asked-rows.ts'
import { hasNumbers } from './codes.ts'
import { type Cover, FragmentCover } from './cover.ts'
import type { QuestionWords } from './question-words.ts'
import { asksOfPrograms, isMostlyLinks } from './never-quoted.ts'
import { leadOf, partAbove } from './part.ts'
import { isOfAskedVersion, type Passage, type ReadText, textAt } from './passages.ts'

/** The weight of a word that only the paragraph before has. */
const weightBefore = 0.5
const weights = { own: 0.5, start: 0.5 }
const weightOfKind = 0.3
/** Of five eggs where eggs are counted, or of a time. */
const weightOfSureKind = 0.5
const weightOfNumberAbove = 0.4
/** What stands below a version comes before what only mentions it. */
const weightOfVersion = 0.3
/** Among rows with as much of a question, the one with a cell of its words alone wins. */
const weightOfCell = 0.1
/** A task such as "delete untracked files" is mostly what a whole manual page is about, by its NAME line. */
const weightOfNameLine = 0.3

export class PassageReader {
  readonly #question: QuestionWords
  readonly text: ReadText
  readonly rows: AskedRows
  readonly #pieces: Cover[][]
  readonly #parts: Cover[]
  readonly #name: Cover
  readonly #whole: FragmentCover
  readonly #meaning: AskedMeaning

  static async open(
    question: QuestionWords,
    text: ReadText,
    slice: TimeSlice,
  ): Promise<PassageReader> {
    const covers = text.parts.map((): Cover[] => [])
    for (const [index, { pieces }] of text.parts.entries()) {
      for (const piece of pieces) {
        covers[index]!.push(question.coverOf(piece))
        await slice.pause()
      }
    }
    return new PassageReader(question, text, covers)
  }

  private constructor(question: QuestionWords, text: ReadText, pieces: Cover[][]) {
    this.#question = question
    this.text = text
    this.#pieces = pieces
    this.#parts = pieces.map((covers) => question.together(covers))
    this.#name = question.coverOf(text.name)
    this.rows = new AskedRows(question, text, this.#parts, this.#name)
    this.#whole = new FragmentCover(question, [...this.#parts, this.#name])
    this.#meaning = new AskedMeaning(question, text, this.rows, this.#whole)
  }

  #textOf(index: number): string {
    return textAt(this.text, this.text.parts[index])
  }

  get share(): number {
    return this.#share(...this.#parts, this.#name)
  }

  holds(word: number): boolean {
    return this.#whole.holds(word)
  }

  /** Whether the text and its name lack a word that no fragment holds in this form. */
  get lacksForeign(): boolean {
    return !this.#question.foreign.every((index) => this.#whole.holds(index))
  }

  read(passage: Passage): { cover: number; fit: number } {
    const { part: index, from, to, opening } = passage
    if (!this.#mayAnswer(index)) return nothing
    const own = this.#question.together(this.#pieces[index]!.slice(from, to))
    if (this.#isOfOther(own, index)) return nothing
    const lead = this.#leadOf(index)
    const isUnderIt = lead >= 0
    const isOfVersion = isOfAskedVersion(this.text, index, this.#question)
    const [before, around] = [this.#before(index), this.#around(index)]
    const cover = this.#whole.shareOf([
      ...[own, this.#name, ...around].map((one): Weighed => [one, 1]),
      [before, isUnderIt ? 1 : weightBefore],
    ])
    const isOfRow = isUnderIt && own.indexes.length === 0 && this.#isAnsweredByRow(lead)
    const above = [isUnderIt && !isOfRow ? before : undefined, ...(isOfVersion ? around : [])]
    const begun = this.#question.coverOf(opening)
    const shareOf = (one: Cover) => this.#share(one, ...above)
    const fit = cover + weights.own * shareOf(own) + weights.start * shareOf(begun)
    const ofMeaning = this.#meaning.fitOf(passage, cover)
    if (ofMeaning === undefined) return nothing
    const ofNameLine = this.text.parts[index]!.kind === 'name' ? weightOfNameLine : 0
    const ofCells = this.rows.has(index) ? weightOfCell * this.rows.exactness(index) : 0
    const ofNumbers =
      this.#ofKinds(passage) +
      this.#ofNumbers(passage, this.#question.together([own, ...around])) +
      (isOfVersion ? weightOfVersion : 0)
    return { cover, fit: fit + ofMeaning + ofNameLine + ofCells + ofNumbers }
  }

  /** What says a number, a place or a default where one is asked for. */
  #ofKinds(passage: Passage): number {
    const { askedKinds } = this.#question
    if (askedKinds.length === 0) return 0
    const { head } = this.text.parts[passage.part]!
    // The numbers of items say nothing.
    const own = textAt(this.text, passage).replaceAll(/^[ \t]{0,20}\d+[.)]\s/gm, '')
    const said = `${this.#textOf(head)}\n${own}`
    return askedKinds.reduce(
      (sum, { any, own: sure }) =>
        sum + (any.test(said) ? weightOfKind : 0) + (sure?.test(said) ? weightOfSureKind : 0),
      0,
    )
  }

  /** What stands below a heading with the number of the question and says what is asked of it. */
  #ofNumbers({ part }: Passage, { indexes }: Cover): number {
    const { column, numbers } = this.#question
    const isAsked = numbers.length > 0 && column.every((at) => indexes.includes(at))
    const own = isAsked ? numbers.filter((number) => !/\p{L}/u.test(number)) : []
    const lead = this.#textOf(this.#leadOf(part))
    return own.length > 0 && hasNumbers(own, lead) ? weightOfNumberAbove : 0
  }

  /** Whether a row below a heading has a word of the question that the heading lacks, as the total of an invoice. */
  #isAnsweredByRow(heading: number): boolean {
    const known = new Set(this.#parts[heading]?.indexes)
    return this.text.parts.some(
      ({ headings }, at) =>
        headings.includes(heading) &&
        this.rows.has(at) &&
        this.#parts[at]!.indexes.some((word) => !known.has(word)),
    )
  }

  #mayAnswer(index: number): boolean {
    const { kind } = this.text.parts[index]!
    if (kind === 'row') return this.rows.mayAnswer(index)
    return kind !== 'name' || !asksOfPrograms(this.#textOf(index), this.#question)
  }

  #isOfOther(own: Cover, index: number): boolean {
    const { kind, cells } = this.text.parts[index]!
    if (kind === 'comment' && own.indexes.length === 0) return true
    // Settings are of one thing.
    return cells !== '=' && this.#isOfOtherAuthors(own, index)
  }

  /** Links tell of other pages, and nothing of what follows. */
  #before(index: number): Cover | undefined {
    const above = partAbove(this.text.text, this.text.parts, index)
    const isSkipped = this.text.parts[above]?.kind === 'skipped'
    return isSkipped && isMostlyLinks(this.#textOf(above)) ? undefined : this.#parts[above]
  }

  /** Whether a passage says who wrote something, and not what a question asks the authors of. */
  #isOfOtherAuthors(own: Cover, index: number): boolean {
    const { authorship } = this.#question
    if (authorship < 0 || this.#question.count < 2) return false
    const { indexes } = this.#question.together([own, this.#name, ...this.#around(index)])
    return indexes.every((at) => at === authorship || this.#question.weightOf(at) === 0)
  }

  /** The share of the question in the passage, its name, its headings, a question above and the head of its table. */
  shareIn({ part, from, to }: Passage): number {
    const lead = this.#parts[this.#leadOf(part)]
    const own = this.#pieces[part]!.slice(from, to)
    return this.#share(...own, lead, this.#name, ...this.#around(part))
  }

  #around(part: number): (Cover | undefined)[] {
    const { headings, head } = this.text.parts[part]!
    return [...headings, head].map((one) => this.#parts[one])
  }

  #leadOf(part: number): number {
    return leadOf(this.text.text, this.text.parts, part)
  }

  #share(...covers: (Cover | undefined)[]): number {
    return this.#question.shareOf(this.#question.together(covers))
  }
}

type Weighed = [cover: Cover | undefined, weight: number]
const nothing = { cover: 0, fit: -Infinity }
