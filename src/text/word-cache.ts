import type { Word } from './words.ts'

const maxWords = 20_000
const maxWordLength = 32

/** `make`, which remembers results: few words make most of a text, and soon come back after a `clear`. */
export function rememberingWords<Made>(make: (word: Word) => Made): (word: Word) => Made {
  const known = new Map<string, Made>()
  return (word) => {
    const found = known.get(word.text)
    if (found !== undefined) return found
    const made = make(word)
    if (word.kind === 'spaced' && word.text.length <= maxWordLength) {
      if (known.size === maxWords) known.clear()
      known.set(word.text, made)
    }
    return made
  }
}
