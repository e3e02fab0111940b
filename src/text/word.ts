/** A word of a text, or a form of one that people also look for. */
export type Word = {
  text: string
  kind:
    | 'spaced'
    /** A run of letters in a script that is written unspaced. */
    | 'unspaced'
    /** `user` of `getUserName`. */
    | 'part'
    /** `wifi` of `Wi-Fi`, `2.17.5` of `v2.17.5`, `c++`. */
    | 'whole'
    /** An emoji, a currency, an operator. */
    | 'sign'
}

const maxTexts = 20_000
const maxLength = 32

/** Remembers results of `make`. Few words make most of a text, and return soon after a `clear`. */
export function memoized<Made>(make: (text: string) => Made): (text: string) => Made {
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
