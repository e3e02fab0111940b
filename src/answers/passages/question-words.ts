import type { TermStatistics } from '../../store/types.ts'
import {
  type AskedKind,
  askedKindsIn,
  authorshipIn,
  authorshipTerms,
  asksWho,
  columnIn,
  isOfMaking,
  lastPhraseOf,
  namesIn,
  sectionIn,
  subjectIn,
} from '../../text/question-phrases.ts'
import { stopWordsInCapitals } from '../../text/stop-words.ts'
import { hashesOf, hashOfToken, tokensOfWord } from '../../text/tokens.ts'
import type { Word } from '../../text/word.ts'
import { words } from '../../text/words.ts'
import { isYear } from '../../text/table-lines.ts'
import { codesIn, numbersAndCodesIn } from './codes.ts'
import { subcommandIn, withoutOptions } from './command-options.ts'
import { identifiersIn } from './identifiers.ts'
import { type Cover, CoverSum, emptyCover } from './cover.ts'
import { FormIndex, termPiecesOf, type Wanted, wantedOf } from './wanted-words.ts'

const maxSaid = 1_000
const maxKnown = 200_000
const aboutOptions = new Set(['argument', 'flag', 'mean', 'option', 'parameter', 'switch'])
/** Fewer fragments lack most words of a language. */
const minFragments = 100

/** The words of a question or a claim, weighted by how rare they are. */
export class QuestionWords {
  /** The numbers and codes in it, and of these the names of single things. */
  readonly numbers: readonly string[]
  readonly codes: readonly string[]
  readonly options: readonly string[]
  readonly subcommand: string | undefined
  readonly identifiers: readonly string[]
  /** Its words as they are written, and its stop words in capitals, which may be codes. */
  readonly texts: ReadonlySet<string>
  readonly capitals: ReadonlySet<string>
  /** The first of them, stop words too, each between blanks. */
  readonly said: string
  /** The indexes of words with a capital initial that are not first in a sentence. */
  readonly names: readonly number[]
  /** The indexes of words in the last phrase, as in "with pacman", that no fragment holds. */
  readonly foreign: readonly number[]
  /** The indexes of words beside its options, which name a program. */
  readonly besideOptions: readonly number[]
  readonly column: readonly number[]
  readonly subject: readonly number[]
  /** Whether it asks the meaning of one of its identifiers, and of nothing else. */
  readonly isOfSetting: boolean
  readonly section: RegExp | undefined
  readonly asksWho: boolean
  readonly askedKinds: readonly AskedKind[]
  /** The index of the word that asks for the authors of something; -1 for none. */
  readonly authorship: number
  readonly #wanted: Wanted[]
  readonly #byHash: ReadonlyMap<number, number>
  readonly #forms: FormIndex
  readonly #total: number
  readonly #sum: CoverSum
  /** By the text of a word, because most words of a text are repeated. */
  readonly #known = new Map<string, Cover>()
  #knownSize = 0

  /** `own` is the part of the text that is asked now; the rest was asked before. */
  constructor(
    text: string,
    statistics: TermStatistics,
    { own = text, options = [] }: { own?: string; options?: readonly string[] } = {},
  ) {
    this.numbers = numbersAndCodesIn(own)
    this.codes = codesIn(own).filter((code) => !isYear(code))
    this.options = options
    this.subcommand = subcommandIn(own)
    this.identifiers = identifiersIn(own)
    this.texts = new Set(words(own).map((word) => word.text))
    this.said = inBlanks(own.slice(0, maxSaid))
    this.capitals = new Set(stopWordsInCapitals(own))
    this.#wanted = wantedOf(text, statistics, own)
    const asking = authorshipIn(own)
    this.authorship = this.#wanted.findIndex(({ bare }) => bare !== '' && bare === asking)
    this.#byHash = indexesByHash(this.#wanted, this.authorship)
    this.#forms = new FormIndex(this.#wanted)
    this.#total = this.#wanted.reduce((sum, { weight }) => sum + weight, 0)
    this.#sum = new CoverSum(this.#wanted.length)
    this.names = this.coverOf(words(namesIn(own).join(' '))).indexes
    this.column = this.coverOf(words(columnIn(own))).indexes.filter((at) => this.weightOf(at) > 0)
    const subject = subjectIn(own)
    this.isOfSetting = this.identifiers.includes(subject)
    this.subject = this.coverOf(words(subject)).indexes.filter((at) => this.weightOf(at) > 0)
    this.asksWho = asksWho(own)
    this.section = sectionIn(own)
    this.askedKinds = askedKindsIn(own, this.identifiers.length > 0)
    this.besideOptions = this.#besideOptionsIn(own, statistics)
    this.foreign = this.#foreignIn(lastPhraseOf(own), statistics)
  }

  get isEmpty(): boolean {
    return this.#total === 0
  }

  get count(): number {
    return this.#wanted.length
  }

  weightOf(index: number): number {
    return this.#wanted[index]!.weight
  }

  sumOf(indexes: readonly number[]): number {
    return indexes.reduce((sum, index) => sum + this.weightOf(index), 0)
  }

  /** Whether a word names something: no number, and no `many` of how many. */
  isNaming(index: number): boolean {
    return this.#wanted[index]!.bare !== '' && this.weightOf(index) > 0
  }

  coverOf(text: readonly Word[]): Cover {
    for (const word of text) this.#sum.add(this.#coverOfWord(word))
    return this.#sum.take()
  }

  shareOf({ indexes, shares }: Cover): number {
    return this.shareOfSum(
      indexes.reduce((sum, index, place) => sum + this.weightOf(index) * shares[place]!, 0),
    )
  }

  together(covers: readonly (Cover | undefined)[]): Cover {
    for (const cover of covers) if (cover) this.#sum.add(cover)
    return this.#sum.take()
  }

  shareOfSum(held: number): number {
    return this.isEmpty ? 0 : held / this.#total
  }

  #besideOptionsIn(question: string, { fragments }: TermStatistics): readonly number[] {
    if (this.options.length === 0 || fragments < minFragments) return []
    const beside = words(withoutOptions(question))
    return this.coverOf(beside.filter(({ text }) => !aboutOptions.has(text))).indexes
  }

  #foreignIn(phrase: string, { fragments }: TermStatistics): readonly number[] {
    if (fragments < minFragments) return []
    return this.coverOf(words(phrase)).indexes.filter(
      (index) => this.isNaming(index) && this.#wanted[index]!.holders === 0,
    )
  }

  #coverOfWord(word: Word): Cover {
    const known = this.#known.get(word.text)
    if (known) return known
    const tokens = tokensOfWord(word)
    const shares = new Map(this.#forms.sharesIn(word))
    for (const token of [...termPiecesOf(word, tokens), ...tokens.variants]) {
      const index = this.#byHash.get(hashOfToken(token))
      if (index !== undefined) shares.set(index, 1)
    }
    if (isOfMaking(word.text)) shares.delete(this.authorship)
    return this.#remember(word, shares)
  }

  #remember({ text }: Word, shares: ReadonlyMap<number, number>): Cover {
    const cover =
      shares.size === 0 ? emptyCover : { indexes: [...shares.keys()], shares: [...shares.values()] }
    this.#knownSize += 1 + shares.size
    if (this.#knownSize > maxKnown) {
      this.#known.clear()
      this.#knownSize = shares.size
    }
    this.#known.set(text, cover)
    return cover
  }
}

export const inBlanks = (text: string): string =>
  ` ${words(text)
    .map((word) => word.text)
    .join(' ')} `

function indexesByHash(wanted: readonly Wanted[], authorship: number): Map<number, number> {
  const indexes = new Map<number, number>()
  if (authorship >= 0) for (const hash of hashesOf(authorshipTerms)) indexes.set(hash, authorship)
  for (const [index, { hashes }] of wanted.entries())
    for (const hash of hashes) indexes.set(hash, index)
  return indexes
}
