import { idfsOf } from '../../store/store.ts'
import type { TermStatistics } from '../../store/types.ts'
import { asksPlace, subjectIn } from '../../text/question-phrases.ts'
import { folded } from '../../text/folding.ts'
import { wordWeightsIn } from '../../text/stop-words.ts'
import {
  gramLength,
  hashesOf,
  tokenized,
  type TokenizedWord,
  type Tokens,
} from '../../text/tokens.ts'
import type { Word } from '../../text/word.ts'
import { wordsOnce } from '../../text/words.ts'
import { isVersion } from './codes.ts'

export type Wanted = {
  bare: string
  hashes: readonly number[]
  grams: readonly string[]
  weight: number
  holders: number
}

/** A few fragments do not show how rare a word is. */
const minFragments = 1_000
const weightOfWordAskedBefore = 0.5
/** AX1077 is no form of AX1070, nor 2024 of 2025. */
const digit = /\p{N}/u

/** What other forms of a word are found by. */
function formKeysOf({ text, kind, tokens }: TokenizedWord) {
  if (kind !== 'spaced' || digit.test(text)) return { bare: '', grams: [] }
  return { bare: folded(text), grams: tokens.grams.map((gram) => gram.slice(1)) }
}

/** 6.2.1 is one word, because other numbers have its digits, too. */
const analysed = (text: string): TokenizedWord[] => tokenized(wordsOnce(text, isVersion))

/** The words of a question that texts are searched for; `own` is the part that is asked now. */
export function wantedOf(text: string, statistics: TermStatistics, own: string): Wanted[] {
  const fragments = Math.max(statistics.fragments, minFragments)
  const found = analysed(text)
  const weightOf = weighing(found, own === text ? found : analysed(own), askingIn(own))
  const pieces = found.flatMap((word) => {
    const forms = formKeysOf(word)
    return termPiecesOf(word, word.tokens).map((term) => ({ word, forms, term }))
  })
  const terms = pieces.map(({ term }) => term)
  const holders = statistics.documentFrequencies(terms)
  const idfs = idfsOf(holders, fragments)
  const wanted = pieces.map(({ word, forms, term }, index): [string, Wanted] => [
    term,
    {
      ...forms,
      hashes: hashesOf(isVersion(word.text) ? [term, `${term}.`] : [term]),
      holders: holders[index]!,
      weight: idfs[index]! * weightOf(word, term),
    },
  ])
  return [...new Map(wanted).values()]
}

/** Scripts without spaces whose letters say nothing alone, as those of Chinese do. */
const spelt = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/v
const lengthOfPiece = 4

export function termPiecesOf({ text, kind }: Word, { terms, grams }: Tokens): readonly string[] {
  if (kind !== 'unspaced' || !spelt.test(text)) return terms
  const pieces = grams.filter((gram) => [...gram].length === lengthOfPiece)
  return pieces.length > 0 ? pieces : terms
}

/** No stop words, because texts are found by them. */
const asking = new Set(['many', 'much'])
/** As in "What does SLA stand for?" */
const askingMeaning = new Set([...asking, 'stand'])
/** As in "Where are the logs kept?", which another text may call stored. */
const askingPlace = new Set([...asking, 'found', 'kept', 'located', 'put', 'saved', 'stored'])
/** As in "Where does it keep the logs?" Of "Where is your store?" such a word is the subject. */
const askingPlaceOfDoer = new Set([
  ...askingPlace,
  ...'find keep keeps live lives save saves store stores'.split(' '),
])
const isOrAre = /^\s*where(?:['’]s|\s+(?:are|is|was|were))\b/i

function askingIn(question: string): Set<string> {
  if (asksPlace(question)) return isOrAre.test(question) ? askingPlace : askingPlaceOfDoer
  return subjectIn(question) === '' ? asking : askingMeaning
}

function weighing(found: TokenizedWord[], own: TokenizedWord[], saidNothing: Set<string>) {
  // English stop words have no terms, and tell the language.
  const said = found.flatMap((word) =>
    word.kind === 'unspaced' ? termPiecesOf(word, word.tokens) : [word.text],
  )
  const weightOf = wordWeightsIn([...new Set(said)])
  const ownTerms = new Set(own.flatMap((word) => termPiecesOf(word, word.tokens)))
  const hasOthers = found.some(({ text }) => !saidNothing.has(text) && weightOf(text) > 0)
  const without = hasOthers ? saidNothing : asking
  return (word: Word, term: string): number =>
    without.has(word.text)
      ? 0
      : weightOf(saidBy(word, term)) * (ownTerms.has(term) ? 1 : weightOfWordAskedBefore)
}

const saidBy = ({ kind, text }: Word, term: string): string => (kind === 'unspaced' ? term : text)

/** Two words are forms of one when the second holds this share of the first one's grams. */
const minShareOfGrams = 0.33
const weightOfOtherForm = 0.9
/** Particles follow a Korean stem, which is most of the word. */
const hangul = /\p{sc=Hangul}/u
const lengthOfBeginning = 2
const minInside = 4
const maxEnding = 2

/** Finds the words of a question by other forms of them. */
export class FormIndex {
  readonly #wanted: readonly Wanted[]
  /** The indexes of words by gram; a word that has a gram twice is there twice. */
  readonly #places = new Map<string, number[]>()
  /** The number of found grams of each word; all 0 between two calls. */
  readonly #counts: Uint32Array

  constructor(wanted: readonly Wanted[]) {
    this.#wanted = wanted
    this.#counts = new Uint32Array(wanted.length)
    for (const [place, { grams }] of wanted.entries()) {
      for (const gram of grams) {
        const known = this.#places.get(gram)
        if (known) known.push(place)
        else this.#places.set(gram, [place])
      }
    }
  }

  /** For each word that another may be a form of, how much of it that says, above 0 to 1. */
  sharesIn({ text, kind }: Word): [place: number, share: number][] {
    // `i:creat` is a letter and the word behind it, and no form of that word.
    const isPair = text.includes(':')
    if (kind === 'unspaced' || kind === 'sign' || isPair || digit.test(text)) return []
    const bare = folded(text)
    return this.#sharesOfGrams(text)
      .filter(
        ([place, share]) => share >= minShareOfGrams && mayBeForms(bare, this.#wanted[place]!.bare),
      )
      .map(([place, share]) => [
        place,
        weightOfOtherForm * (hangul.test(bare) ? 1 : Math.sqrt(share)),
      ])
  }

  /** For each word that shares grams with a case-folded one, the share of its grams, above 0 to 1. */
  #sharesOfGrams(word: string): [place: number, share: number][] {
    const sharing: number[] = []
    for (const piece of possibleGramsOf(`^${folded(word)}$`)) {
      for (const place of this.#places.get(piece) ?? []) {
        if (this.#counts[place] === 0) sharing.push(place)
        this.#counts[place]! += 1
      }
    }
    return sharing.map((place) => {
      const share = this.#counts[place]! / this.#wanted[place]!.grams.length
      this.#counts[place] = 0
      return [place, share]
    })
  }
}

/** Forms begin alike, or one has the beginning of the other inside; Mondays are no form of Sundays. */
function mayBeForms(a: string, b: string): boolean {
  if (a.slice(0, lengthOfBeginning) === b.slice(0, lengthOfBeginning)) return true
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a]
  return longer.includes(shorter.slice(0, Math.max(minInside, shorter.length - maxEnding)))
}

function possibleGramsOf(marked: string): Set<string> {
  const pieces = new Set<string>()
  for (let start = 0; start < marked.length; start++) {
    for (let end = start + 2; end <= Math.min(marked.length, start + gramLength); end++) {
      pieces.add(marked.slice(start, end))
    }
  }
  return pieces
}
