import type { TimeSlice } from '../../process/fair-shares.ts'
import { AskedRows } from './asked-rows.ts'
import { hasNumbers, isVersion } from './codes.ts'
import { type Cover, FragmentCover } from './cover.ts'
import { beginsWithWord, defines, hasOption, withoutOptions } from './command-options.ts'
import { beginsWithName, isFileOf } from './identifiers.ts'
import type { QuestionWords } from './question-words.ts'
import { asksOfPrograms, isMostlyLinks } from './never-quoted.ts'
import { partAbove } from './parts.ts'
import { type Passage, type ReadText, textAt } from './passages.ts'

/** The weight of a word that only the paragraph before has. */
const weightBefore = 0.5
const weights = { own: 0.5, start: 0.5 }
/** More than all other words, because the meaning of an option rarely repeats those of a question. */
const weightOfOption = 1.5
/** What begins with the name of a setting says more of it than what mentions it. */
const weightOfName = 0.75
/** What stands below a version comes before what only mentions it. */
const weightOfVersion = 0.3
/** A text with a smaller share of the words beside an option is about an option of another program. */
const minBesideOptions = 0.1
/** Among rows with as much of a question, the one with a cell of its words alone wins. */
const weightOfCell = 0.1

export class PassageReader {
  readonly #question: QuestionWords
  readonly text: ReadText
  readonly rows: AskedRows
  readonly #pieces: Cover[][]
  readonly #parts: Cover[]
  readonly #name: Cover
  readonly #whole: FragmentCover
  readonly #isAboutProgram: boolean

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
    const held = question.besideOptions.filter((index) => this.#whole.holds(index))
    this.#isAboutProgram =
      question.sumOf(held) >= minBesideOptions * question.sumOf(question.besideOptions)
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
    const isDefined = this.#defines(passage)
    if (isDefined === false || !this.#mayAnswer(index)) return nothing
    const own = this.#question.together(this.#pieces[index]!.slice(from, to))
    if (this.#isOfOther(own, index)) return nothing
    const isUnderIt = this.#leadOf(index) >= 0
    const isOfVersion = isOfAskedVersion(this.#question, this.text, index)
    const [before, around] = [this.#before(index), this.#around(index)]
    const cover = this.#whole.shareOf([
      ...[own, this.#name, ...around].map((one): Weighed => [one, 1]),
      [before, isUnderIt ? 1 : weightBefore],
    ])
    const above = [isUnderIt ? before : undefined, ...(isOfVersion ? around : [])]
    const begun = this.#question.coverOf(opening)
    const shareOf = (one: Cover) => this.#share(one, ...above)
    const fit = cover + weights.own * shareOf(own) + weights.start * shareOf(begun)
    const ofOption = isDefined ? weightOfOption * (1 + this.#share(this.#name)) : 0
    const ofCells = this.rows.has(index) ? weightOfCell * this.rows.exactness(index) : 0
    const ofName = this.#isOfName(passage) ? weightOfName : 0
    return { cover, fit: fit + ofOption + ofCells + ofName + (isOfVersion ? weightOfVersion : 0) }
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
    const above = this.#above(index)
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

  #defines(passage: Passage): boolean | undefined {
    const { options, subcommand } = this.#question
    const said = textAt(this.text, passage).trimStart()
    if (subcommand !== undefined && beginsWithWord(said, subcommand)) return true
    // A list of releases names options too.
    const isBareRow = this.rows.has(passage.part) && !/\p{L}{2}/u.test(withoutOptions(said))
    if (options.length === 0 || isBareRow) return undefined
    const heading = this.#textOf(this.#leadOf(passage.part)).replace(/^#+\s*/, '')
    const isTitle = defines(heading, options) === true
    return this.#isAboutProgram && this.#hasOption(passage) && (isTitle || defines(said, options))
  }

  /** Whether a passage, its heading or its document is called as the question calls a setting. */
  #isOfName({ part, start }: Passage): boolean {
    const { identifiers } = this.#question
    if (identifiers.some((name) => isFileOf(this.text.nameText, name))) return true
    const isStart = start === this.text.parts[part]!.start
    return [this.#leadOf(part), isStart ? part : -1].some((at) =>
      beginsWithName(this.#textOf(at), identifiers, this.text.parts[at]?.kind === 'row'),
    )
  }

  #hasOption({ start, end, part }: Passage): boolean {
    const { headings, head } = this.text.parts[part]!
    const around = [...headings, head, this.#leadOf(part)].map((one) => this.text.parts[one])
    return [{ start, end }, ...around].some((span) =>
      hasOption(textAt(this.text, span), this.#question.options),
    )
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

  #above(part: number): number {
    return partAbove(this.text.text, this.text.parts, part)
  }

  /** The heading or the question right above; -1 for none. */
  #leadOf(part: number): number {
    const above = this.#above(part)
    const { kind } = this.text.parts[above] ?? {}
    return kind === 'heading' || kind === 'question' ? above : -1
  }

  #share(...covers: (Cover | undefined)[]): number {
    return this.#question.shareOf(this.#question.together(covers))
  }
}

/** Whether a part stands below a heading with the version that is asked for, as in a list of changes. */
export const isOfAskedVersion = (
  { numbers }: QuestionWords,
  text: ReadText,
  part: number,
): boolean =>
  numbers.some(isVersion) &&
  text.parts[part]!.headings.some((one) => hasNumbers(numbers, textAt(text, text.parts[one])))

type Weighed = [cover: Cover | undefined, weight: number]
const nothing = { cover: 0, fit: -Infinity }
