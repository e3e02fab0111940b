import { idf } from '../../store/store.ts'
import type { TermStatistics } from '../../store/types.ts'
import { folded } from '../../text/folding.ts'
import { wordWeightsIn } from '../../text/stop-words.ts'
import { hashesOf, hashOfToken } from '../../text/token-hash.ts'
import { type Tokens, tokensOfWord } from '../../text/tokens.ts'
import type { Word } from '../../text/word.ts'
import { words, wordsOnce } from '../../text/words.ts'
import { isYear } from '../../text/table-lines.ts'
import { codesIn } from './codes.ts'
import { lettersIn } from './command-options.ts'
import { type Cover, CoverSum, emptyCover } from './cover.ts'
import { GramIndex } from './gram-index.ts'

type Wanted = { bare: string; hash: number; grams: readonly string[]; weight: number }

/** A few fragments do not show how rare a word is. */
const minFragments = 1_000
const weightOfWordAskedBefore = 0.5
/** Two words are forms of one when the second holds this share of the first one's grams. */
const minShareOfGrams = 0.33
const weightOfOtherForm = 0.9
/** AX1077 is no form of AX1070, nor 2024 of 2025. */
const digit = /\p{N}/u
/** Particles follow a Korean stem, which is most of the word. */
const hangul = /\p{sc=Hangul}/u
const lengthOfBeginning = 2
const minInside = 4
const maxEnding = 2
const maxKnown = 200_000

/** The words of a question or a claim, weighted by how rare they are. */
export class QuestionWords {
  readonly codes: readonly string[]
  readonly letters: readonly string[]
  /** The indexes of words with a capital initial that are not first in a sentence. */
  readonly names: readonly number[]
  readonly #wanted: Wanted[]
  readonly #byHash: ReadonlyMap<number, number>
  readonly #grams: GramIndex
  readonly #total: number
  readonly #sum: CoverSum
  /** By the text of a word, because most words of a text are repeated. */
  readonly #known = new Map<string, Cover>()
  #knownSize = 0

  /** `own` is the part of the text that is asked now; the rest was asked before. */
  constructor(text: string, statistics: TermStatistics, own = text) {
    this.codes = codesIn(own).filter((code) => !isYear(code))
    this.letters = lettersIn(own)
    this.#wanted = wantedOf(text, statistics, own)
    this.#byHash = new Map(this.#wanted.map(({ hash }, index) => [hash, index]))
    this.#grams = new GramIndex(this.#wanted.map(({ grams }) => grams))
    this.#total = this.#wanted.reduce((sum, { weight }) => sum + weight, 0)
    this.#sum = new CoverSum(this.#wanted.length)
    this.names = this.coverOf(words(namesIn(own).join(' '))).indexes
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

  #coverOfWord(word: Word): Cover {
    const known = this.#known.get(word.text)
    if (known) return known
    const tokens = tokensOfWord(word)
    const shares = new Map(this.#sharesOfForms(word))
    for (const token of [...piecesOf(word, tokens), ...tokens.variants]) {
      const index = this.#byHash.get(hashOfToken(token))
      if (index !== undefined) shares.set(index, 1)
    }
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

  #sharesOfForms({ text, kind }: Word): [number, number][] {
    if (kind === 'unspaced' || kind === 'sign' || digit.test(text)) return []
    const bare = folded(text)
    return this.#grams
      .sharesIn(text)
      .filter(
        ([index, share]) => share >= minShareOfGrams && mayBeForms(bare, this.#wanted[index]!.bare),
      )
      .map(([index, share]) => [
        index,
        weightOfOtherForm * (hangul.test(bare) ? 1 : Math.sqrt(share)),
      ])
  }
}

/** Forms begin alike, or one has the beginning of the other inside; Mondays are no form of Sundays. */
function mayBeForms(a: string, b: string): boolean {
  if (a.slice(0, lengthOfBeginning) === b.slice(0, lengthOfBeginning)) return true
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a]
  return longer.includes(shorter.slice(0, Math.max(minInside, shorter.length - maxEnding)))
}

const hasForms = ({ text, kind }: Word): boolean => kind === 'spaced' && !digit.test(text)

const noForms = { bare: '', grams: [] }

const formKeysOf = ({ text }: Word, { grams }: Tokens) => ({
  bare: folded(text),
  grams: grams.map((gram) => gram.slice(1)),
})

const namesIn = (text: string): string[] =>
  text.match(/(?<=[\p{L}\p{N},]\s+)\p{Lu}\p{L}{2,}/gu) ?? []

type Analysed = { word: Word; tokens: Tokens }

const analysed = (text: string): Analysed[] =>
  wordsOnce(text).map((word) => ({ word, tokens: tokensOfWord(word) }))

function wantedOf(text: string, statistics: TermStatistics, own: string): Wanted[] {
  const fragments = Math.max(statistics.fragments, minFragments)
  const found = analysed(text)
  const weightOf = weighing(found, own === text ? found : analysed(own))
  const pieces = found.flatMap(({ word, tokens }) => {
    const forms = hasForms(word) ? formKeysOf(word, tokens) : noForms
    return piecesOf(word, tokens).map((term) => ({ word, forms, term }))
  })
  const terms = pieces.map(({ term }) => term)
  const holders = statistics.documentFrequencies(terms)
  const hashes = hashesOf(terms)
  const wanted = pieces.map(({ word, forms, term }, index): [string, Wanted] => [
    term,
    {
      ...forms,
      hash: hashes[index]!,
      weight: idf(holders[index]!, fragments) * weightOf(word, term),
    },
  ])
  return [...new Map(wanted).values()]
}

/** Scripts without spaces whose letters say nothing alone, as those of Chinese do. */
const spelt = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/v
const lengthOfPiece = 4

function piecesOf({ text, kind }: Word, { terms, grams }: Tokens): readonly string[] {
  if (kind !== 'unspaced' || !spelt.test(text)) return terms
  const pieces = grams.filter((gram) => [...gram].length === lengthOfPiece)
  return pieces.length > 0 ? pieces : terms
}

/** No stop words, because texts are found by them. */
const asking = new Set(['many', 'much'])

function weighing(found: Analysed[], own: Analysed[]): (word: Word, term: string) => number {
  // English stop words have no terms, and tell the language.
  const said = found.flatMap(({ word, tokens }) =>
    word.kind === 'unspaced' ? piecesOf(word, tokens) : [word.text],
  )
  const weightOf = wordWeightsIn([...new Set(said)])
  const ownTerms = new Set(own.flatMap(({ word, tokens }) => piecesOf(word, tokens)))
  return (word, term) =>
    asking.has(word.text)
      ? 0
      : weightOf(saidBy(word, term)) * (ownTerms.has(term) ? 1 : weightOfWordAskedBefore)
}

/** Words that are written without spaces are weighed by their pieces. */
const saidBy = ({ kind, text }: Word, term: string): string => (kind === 'unspaced' ? term : text)
