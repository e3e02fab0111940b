import traditionalAndSimplified from 'opencc-js/dict/TSCharacters'

const simplifiedOf = new Map(
  traditionalAndSimplified.split('|').map((pair) => {
    const [traditional = '', simple = ''] = pair.split(' ')
    return [traditional, simple]
  }),
)

const han = /\p{sc=Han}/gv

/** Traditional Chinese characters as the simplified ones, one for one. */
export const simplified = (text: string): string =>
  text.replace(han, (character) => simplifiedOf.get(character) ?? character)
