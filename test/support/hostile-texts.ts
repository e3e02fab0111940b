/** Texts that take long to analyse, the same in every run. */

const vocabularySize = 1_500
const lengthOfText = 7_990

let seed = 1
const draw = (max: number): number => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % max
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const letters = 'abcdefghijklmnopqrstuvwxyz'
const vocabulary = times(vocabularySize, (index) =>
  times(3 + (index % 5), () => letters[draw(letters.length)]).join(''),
)
const word = (): string => vocabulary[draw(vocabularySize)]!
const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
const han = (): string => String.fromCharCode('一'.charCodeAt(0) + draw(4_000))

/** Some pieces of a text, and what is asked of it. */
type Style = { piece: () => string; query: string }

const query = vocabulary.join(' ').slice(0, 8_192)

export const styles: Record<string, Style> = {
  prose: { piece: () => `${capital(times(9, word).join(' '))}. `, query },
  abbreviations: { piece: () => `${capital(word()).slice(0, 2)}. ${capital(word())} `, query },
  lists: { piece: () => `- ${word()} ${word()}\n`, query },
  tables: { piece: () => `| ${word()} | ${word()} |\n`, query },
  Chinese: { piece: () => `${times(12, han).join('')}。`, query: times(8_192, han).join('') },
}

/** A text of a style, as long as a fragment may be. */
export const textOf = ({ piece }: Style): string => {
  let text = ''
  while (text.length < lengthOfText) text += piece()
  return text.slice(0, lengthOfText)
}
