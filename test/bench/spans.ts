import { Random } from '../support/random.ts'
import type { Text } from './collection.ts'

const fewestWords = 6
const mostWords = 20
/** Of a text without spaces a word may be the whole, which no one asks for. */
const longestSpan = 1_000
/** A collection may hold fewer different spans than asked for. */
const attemptsASpan = 20
const seed = 1

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
    const words = random.pick(documents).text.split(/\s+/).filter(Boolean)
    const length = fewestWords + random.below(mostWords - fewestWords + 1)
    if (words.length < length) continue
    const start = random.below(words.length - length + 1)
    const span = words.slice(start, start + length).join(' ')
    if (span.length <= longestSpan) questions.add(span)
  }
  return [...questions]
}
