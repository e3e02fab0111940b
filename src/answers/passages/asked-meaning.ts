import { definedIn } from '../../text/question-phrases.ts'
import { isStopWord } from '../../text/stop-words.ts'
import type { Word } from '../../text/word.ts'
import { words } from '../../text/words.ts'
import type { AskedRows } from './asked-rows.ts'
import type { FragmentCover } from './cover.ts'
import { beginsWithWord, defines, hasOption, withoutOptions } from './command-options.ts'
import { beginsWithName, belowComment, isFileOf } from './identifiers.ts'
import { leadOf } from './part.ts'
import { type Passage, type ReadText, textAt } from './passages.ts'
import type { QuestionWords } from './question-words.ts'

/** More than all other words, because the meaning of an option rarely repeats those of a question. */
const weightOfOption = 1.5
/** A text with a smaller share of the words beside an option is about an option of another program. */
const minBesideOptions = 0.1
/** What begins with the name of a setting, or with what a thing is, says more of it than what mentions it. */
const weightOfName = 0.75
const weightOfDefinition = 1.1
/** A little more than a passage gets that repeats the whole question: an introduction need not name its subject. */
const weightOfIntroduction = 1.1
const minCoverOfIntroduction = 0.75
const weightOfSection = 1
const minCoverOfSection = 0.8
const minCoverOfNumber = 0.5

/** Compares a text with what a question asks the meaning of: an option, a setting, a thing, or a side of a thing. */
export class AskedMeaning {
  readonly #question: QuestionWords
  readonly #text: ReadText
  readonly #rows: AskedRows
  readonly #shareOfName: number
  readonly #isAboutProgram: boolean
  readonly #isAboutSubject: boolean
  readonly #firstText: number

  constructor(question: QuestionWords, text: ReadText, rows: AskedRows, whole: FragmentCover) {
    this.#question = question
    this.#text = text
    this.#rows = rows
    this.#shareOfName = question.shareOf(question.coverOf(text.name))
    const held = question.besideOptions.filter((index) => whole.holds(index))
    this.#isAboutProgram =
      question.sumOf(held) >= minBesideOptions * question.sumOf(question.besideOptions)
    // The privacy levels are no introduction to level 3.
    const asksSubject = question.subject.length > 0 && question.numbers.length === 0
    this.#isAboutSubject = asksSubject && isCalledAs(text.nameText, question)
    this.#firstText = this.#isAboutSubject ? firstTextOf(text) : -1
  }

  /** Added to how well a passage fits that holds so much of the question; undefined if it says the meaning of another option. */
  fitOf(passage: Passage, cover: number): number | undefined {
    const isOption = this.#definesOption(passage)
    if (isOption === false) return undefined
    return (
      (isOption ? weightOfOption * (1 + this.#shareOfName) : 0) +
      this.#ofName(passage) +
      (this.#isIntroduction(passage, cover) ? weightOfIntroduction : 0) +
      (this.#isOfSection(passage, cover) ? weightOfSection : 0)
    )
  }

  #ofName(passage: Passage): number {
    // Of a setting, its row says as much as a sentence.
    if (this.#saysWhatItIs(passage) && !this.#question.isOfSetting) return weightOfDefinition
    return this.#saysWhatItIs(passage) || this.#isOfName(passage) ? weightOfName : 0
  }

  #textOf(index: number): string {
    return textAt(this.#text, this.#text.parts[index])
  }

  #leadOf(index: number): number {
    return leadOf(this.#text.text, this.#text.parts, index)
  }

  #definesOption(passage: Passage): boolean | undefined {
    const { options, subcommand } = this.#question
    const said = textAt(this.#text, passage).trimStart()
    if (subcommand !== undefined && beginsWithWord(said, subcommand)) return true
    // A list of releases names options too.
    const isBareRow = this.#rows.has(passage.part) && !/\p{L}{2}/u.test(withoutOptions(said))
    if (options.length === 0 || isBareRow) return undefined
    const heading = withoutMarks(this.#textOf(this.#leadOf(passage.part)))
    const isTitle = defines(heading, options) === true
    return this.#isAboutProgram && this.#hasOption(passage) && (isTitle || defines(said, options))
  }

  #hasOption({ start, end, part }: Passage): boolean {
    const { headings, head } = this.#text.parts[part]!
    const around = [...headings, head, this.#leadOf(part)].map((one) => this.#text.parts[one])
    return [{ start, end }, ...around].some((span) =>
      hasOption(textAt(this.#text, span), this.#question.options),
    )
  }

  #isOfName({ part, start }: Passage): boolean {
    const { identifiers, subject } = this.#question
    if (identifiers.some((name) => isFileOf(this.#text.nameText, name))) return true
    // `MAX = 10` says a value, and not what it is of.
    const saidAt = (at: number) => belowComment(this.#textOf(at))
    const isValue = subject.length > 0 && assigning.test(saidAt(part))
    const isStart = !isValue && start === this.#text.parts[part]!.start
    return [this.#leadOf(part), isStart ? part : -1].some((at) =>
      beginsWithName(saidAt(at), identifiers, this.#text.parts[at]?.kind === 'row'),
    )
  }

  /** Whether a passage begins as `Streams are a log` where streams are asked for; a word may stand before. */
  #saysWhatItIs(passage: Passage): boolean {
    const { subject } = this.#question
    if (subject.length === 0 || !this.#isText(passage)) return false
    const held = calledBy(definedIn(textAt(this.#text, passage)), this.#question)
    const own = held.slice(held.findIndex(({ length }) => length > 0))
    return held.length - own.length <= maxBefore && consistOf(own, subject)
  }

  /** Whether a passage is the first of a document, or below a heading such as Description, and the document is about what is asked. */
  #isIntroduction(passage: Passage, cover: number): boolean {
    if (!this.#isAboutSubject || cover < minCoverOfIntroduction || !this.#isText(passage))
      return false
    const isFirst = this.#text.isBeginning && this.#firstText === passage.part
    return isFirst || introducing.test(this.#textOf(this.#leadOf(passage.part)))
  }

  /** Whether a passage is below a heading that names the side of a thing which the question asks for, as `DEFAULT`. */
  #isOfSection({ part }: Passage, cover: number): boolean {
    const { column, section } = this.#question
    const lead = this.#leadOf(part)
    if (section && cover >= minCoverOfNumber && section.test(this.#textOf(lead))) return true
    if (column.length === 0 || lead < 0 || cover < minCoverOfSection) return false
    return consistOf(heldBy(this.#textOf(lead), this.#question), column)
  }

  #isText({ part, start }: Passage): boolean {
    const own = this.#text.parts[part]!
    return own.kind === 'text' && own.start === start
  }
}

const maxBefore = 1
const introducing = /^\W*(?:description|introduction|overview|summary)\W*$/i

const assigning = /^\W{0,4}[\w.-]+\s*=(?!=)/

const withoutMarks = (heading: string): string => heading.replace(/^(?:#+|\.\. [\w:-]+::)\s*/, '')

/** As `By A. Smith` and `Last updated: 3 May 2024`, which say nothing of what the document is about. */
function isByline(text: string): boolean {
  const isSentence = /[.!?:。！？]["'”’)*_`]*$/.test(text)
  return (
    !isSentence && (text.split(/\s+/).length <= maxByline || /(?<![\p{L}\p{N}])\p{N}/u.test(text))
  )
}

const maxByline = 3

const firstTextOf = (text: ReadText): number =>
  text.passages.find(
    ({ part }) => text.parts[part]!.kind === 'text' && !isByline(textAt(text, text.parts[part])),
  )?.part ?? -1

const wordsIn = (text: string): Word[] => words(text).filter((word) => !isStopWord(word.text))

/** Of each word of a text, except stop words, which words of a question it holds. */
const heldBy = (text: string, question: QuestionWords): (readonly number[])[] =>
  wordsIn(text).map((word) => question.coverOf([word]).indexes)

/** The same without what only begins or ends so: a millstone is no mill. */
function calledBy(text: string, question: QuestionWords): (readonly number[])[] {
  const written = text.toLowerCase()
  // `saw-mill` is also the word `sawmill`.
  const separate = wordsIn(text).filter((word) => written.includes(word.text))
  return separate.map((word) => {
    const { indexes, shares } = question.coverOf([word])
    return indexes.filter((_, place) => shares[place] === 1)
  })
}

const consistOf = (held: (readonly number[])[], wanted: readonly number[]): boolean =>
  held.every((indexes) => indexes.some((at) => wanted.includes(at))) &&
  wanted.every((at) => held.some((indexes) => indexes.includes(at)))

/** Whether a document is called by the setting that is asked for, or by words of the subject alone, as `traits.md` and `streams/index.md` are. */
function isCalledAs(path: string, question: QuestionWords): boolean {
  const { identifiers } = question
  if (identifiers.length > 0) return identifiers.some((name) => isFileOf(path, name))
  const [folder = '', last = ''] = ['', ...path.split('/')].slice(-2)
  const [file = ''] = last.split('.')
  const own = /^_?(?:index|readme)$/i.test(file) ? folder : file
  const name = own.split(/[-_\s]+/).filter((word) => !/\d/.test(word))
  const held = calledBy(name.join(' '), question)
  const isOfSubject = (at: number) => question.subject.includes(at)
  return held.length > 0 && held.every((indexes) => indexes.some(isOfSubject))
}
