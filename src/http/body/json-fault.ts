/** The offset at which a text that is no JSON stops being the beginning of any. */
export function faultOf(text: string): number {
  const open: ('{' | '[')[] = []
  let wanted: Wanted = 'value'
  let at = matchAt(blanks, text, 0).length
  while (at < text.length) {
    const character = text[at]!
    const closes =
      (character === '}' && open.at(-1) === '{') || (character === ']' && open.at(-1) === '[')
    if (closes && (wanted === 'next' || wanted.endsWith('OrEnd'))) {
      open.pop()
      wanted = 'next'
      at += 1
    } else if (wanted === 'next' || wanted === 'colon') {
      const isRight = open.length > 0 && character === (wanted === 'colon' ? ':' : ',')
      if (!isRight) return at
      wanted = wanted === 'next' && open.at(-1) === '{' ? 'name' : 'value'
      at += 1
    } else if (wanted.startsWith('value') && (character === '{' || character === '[')) {
      open.push(character)
      wanted = character === '{' ? 'nameOrEnd' : 'valueOrEnd'
      at += 1
    } else {
      const isName = wanted.startsWith('name')
      const piece = isName && character !== '"' ? '' : matchAt(scalar, text, at)
      at += piece.length
      if (!isJson(piece)) return at
      wanted = isName ? 'colon' : 'next'
    }
    at += matchAt(blanks, text, at).length
  }
  return at
}

type Wanted = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'next'

const string = String.raw`"(?:[ !#-\[\]-\u{10ffff}]|\\(?:["\\\/bfnrt]|u[\da-fA-F]{4}))*(?:"|\\(?:u[\da-fA-F]{0,3})?)?`
const word = 't(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?'
const exponent = String.raw`[eE][+\-]?\d*`
const number = String.raw`-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+(?:${exponent})?)?|${exponent})?)?`

/** A scalar, or as much as there is of the beginning of one. */
const scalar = new RegExp(`${string}|${word}|${number}`, 'uy')
const blanks = /[ \n\r\t]*/y

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
