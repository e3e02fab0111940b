import { skipBlanks, visibleEnd } from '../text/blanks.ts'
import { foldedRun } from '../text/folding.ts'
import { otherNumbersOf } from '../text/word.ts'
import { pageAt } from '../text/pages.ts'
import type { Span } from '../text/span.ts'
import { hashOfToken, tokenized } from '../text/tokens.ts'
import { digitOf, invisible, otherDigit, unspaced, wordPattern, words } from '../text/words.ts'
import { termSetOf } from './text-signals.ts'

const part = new RegExp(String.raw`[[\p{L}\p{M}\p{N}]--[${unspaced}]]+`, 'gv')
const startsUnspaced = new RegExp(`^[${unspaced}]`, 'v')

export class Highlighter {
  readonly #terms: ReadonlySet<number>

  constructor(query: string) {
    const asked = words(query)
    const terms = tokenized(asked).flatMap(({ tokens }) => [tokens.terms, tokens.variants])
    const numbers = otherNumbersOf(asked.map(({ text }) => text))
    this.#terms = new Set([...terms.flat(), ...numbers].map(hashOfToken))
  }

  spansIn(text: string): Span[] {
    const { visible, offsets } = visibleText(text)
    return Array.from(visible.matchAll(wordPattern))
      .flatMap(({ 0: found, index }) =>
        startsUnspaced.test(found) ? this.#pairsIn(found, index) : this.#wordsIn(found, index),
      )
      .map(({ start, end }) => ({ start: offsets[start]!, end: offsets[end - 1]! + 1 }))
  }

  #wordsIn(found: string, start: number): Span[] {
    const parts = Array.from(found.matchAll(part))
    const asked = parts.filter(([word]) => this.#isAsked(word))
    const isWhole = asked.length === 0 ? this.#isAsked(found) : asked.length === parts.length
    if (isWhole) return [spanOf(start, found)]
    return asked.map(({ 0: word, index }) => spanOf(start + index, word))
  }

  /** Finds words without spaces by two consecutive characters. */
  #pairsIn(found: string, start: number): Span[] {
    const spans: Span[] = []
    let place = start
    const characters = [...found]
    const folds = characters.map((character) => foldedRun(character.normalize('NFKC')))
    for (const [index, character] of characters.entries()) {
      const next = characters[index + 1]
      const isPair =
        next !== undefined && this.#terms.has(hashOfToken(folds[index]! + folds[index + 1]!))
      if (isPair || (characters.length === 1 && this.#isAsked(character))) {
        const last = spans.at(-1)
        const end = place + character.length + (isPair ? next.length : 0)
        if (last && last.end >= place) last.end = end
        else spans.push({ start: place, end })
      }
      place += character.length
    }
    return spans
  }

  #isAsked(text: string): boolean {
    return !termSetOf(text).isDisjointFrom(this.#terms)
  }
}

const spanOf = (start: number, text: string): Span => ({ start, end: start + text.length })

/** The visible part of a text, and the offset of each of its code units in the whole text. */
type VisibleText = { visible: string; offsets: readonly number[] }

/** With ASCII blanks, and ASCII digits for those of one code unit. */
function visibleText(text: string): VisibleText {
  const offsets: number[] = []
  let visible = ''
  let from = 0
  const add = (end: number) => {
    for (let offset = from; offset < end; offset++) offsets.push(offset)
    visible += text.slice(from, end)
  }
  for (const { 0: found, 1: kept, index } of text.matchAll(invisible)) {
    if (kept !== undefined) continue
    add(index)
    from = index + found.length
  }
  add(text.length)
  const plain = visible
    .replace(/\p{Zs}/gv, ' ')
    .replace(otherDigit, (digit) => (digit.length === 1 ? digitOf(digit) : digit))
  return { visible: plain, offsets }
}

type Place = { text: string; offset: number }

/** The page, from 1, on which a fragment has most of the query's words, or else begins. */
export function matchedPage(
  starts: readonly number[],
  { text, offset }: Place,
  highlighter: () => Highlighter,
): number {
  const first = pageAt(starts, offset + skipBlanks(text, 0))
  if (first === pageAt(starts, offset + Math.max(0, visibleEnd(text) - 1))) return first
  const wordsOf = new Map([[first, new Set<string>()]])
  for (const { start, end } of highlighter().spansIn(text)) {
    const page = pageAt(starts, offset + start)
    const found = wordsOf.get(page) ?? new Set()
    wordsOf.set(page, found.add(text.slice(start, end).toLowerCase()))
  }
  const [[page]] = [...wordsOf].toSorted(([, a], [, b]) => b.size - a.size) as [[number, unknown]]
  return page
}
