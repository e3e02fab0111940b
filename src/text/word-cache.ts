import type { Word } from './words.ts'

const maxWords = 20_000
/** Longer words are rare, and so many of them would fill the memory. */
const maxLength = 32

/** `make`, which remembers what it made of frequent words: few words make most of a text. */
export function rememberingWords<Made>(make: (word: Word) => Made): (word: Word) => Made {
  const known = new Map<string, Made>()
  return (word) => {
    const found = known.get(word.text)
    if (found !== undefined) return found
    const made = make(word)
    if (word.kind === 'spaced' && word.text.length <= maxLength) {
      // Frequent words soon come back after all were forgotten.
      if (known.size === maxWords) known.clear()
      known.set(word.text, made)
    }
    return made
  }
}
