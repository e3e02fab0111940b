import type { Word } from './word.ts'

const maxTexts = 20_000
const maxLength = 32

/** `make`, which remembers results: few words make most of a text, and soon come back after a `clear`. */
export function remembering<Made>(make: (text: string) => Made): (text: string) => Made {
  const known = new Map<string, Made>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = make(text)
    if (text.length <= maxLength) {
      if (known.size === maxTexts) known.clear()
      known.set(text, made)
    }
    return made
  }
}

/** The same of words; a run without spaces hardly ever comes again. */
export function rememberingWords<Made>(make: (word: Word) => Made): (word: Word) => Made {
  const remembered = {
    spaced: remembering((text) => make({ text, kind: 'spaced' })),
    part: remembering((text) => make({ text, kind: 'part' })),
    whole: remembering((text) => make({ text, kind: 'whole' })),
    sign: remembering((text) => make({ text, kind: 'sign' })),
  }
  return (word) => (word.kind === 'unspaced' ? make(word) : remembered[word.kind](word.text))
}
