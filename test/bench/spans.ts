import { Random } from '../support/random.ts'
import type { Text } from './collection.ts'

const fewestWords = 6
const mostWords = 20
/** Of a text without spaces a word may be the whole, which no one asks for. */
const longestSpan = 1_000
/** A collection may hold fewer different spans than asked for. */
const attemptsASpan = 20
const seed = 1
/** They make a text about as long as a fragment of the benches. */
const spansAText = 5

/**
 * As many different questions as asked for: the given ones, and then spans of words out of the
 * documents, the same ones for the same documents. A handful asked again and again would only show
 * what is in the caches.
 */
export function questionsOf(given: string[], documents: Text[], count: number): string[] {
  const random = new Random(seed)
  const questions = new Set(given)
  const attempts = attemptsASpan * count
  for (let attempt = 0; questions.size < count && attempt < attempts; attempt++) {
    const span = spanOf(random, documents)
    if (span !== undefined) questions.add(span)
  }
  return [...questions]
}

/** Some words on end out of any of the documents; undefined where it has none such. */
function spanOf(random: Random, documents: Text[]): string | undefined {
  const words = random.pick(documents).text.split(/\s+/).filter(Boolean)
  const length = fewestWords + random.below(mostWords - fewestWords + 1)
  if (words.length < length) return undefined
  const start = random.below(words.length - length + 1)
  const span = words.slice(start, start + length).join(' ')
  return span.length <= longestSpan ? span : undefined
}

/**
 * Texts in the documents' words, each some spans out of any of them, and all unlike each other; those
 * of another seed are others.
 */
export function newTexts(documents: Text[], count: number, newSeed: number): string[] {
  const random = new Random(newSeed)
  return Array.from({ length: count }, (_, number) => {
    const spans = Array.from({ length: spansAText }, () => spanOf(random, documents))
    const words = spans.filter((span) => span !== undefined).join(' ')
    return `Note ${newSeed}.${number}. ${words}`
  })
}
