/** The offset at which a text that is no JSON stops being the beginning of any. */
export function faultOf(text: string): number {
  const open: ('{' | '[')[] = []
  let wanted: Wanted = 'value'
  let at = afterBlanks(text, 0)
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
      const { end, isWhole } = character === '"' || isName ? stringAt(text, at) : scalarAt(text, at)
      if (!isWhole) return end
      wanted = isName ? 'colon' : 'next'
      at = end
    }
    at = afterBlanks(text, at)
  }
  return at
}

type Wanted = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'next'

/** `end` is after the piece, or where it is wrong. */
type Piece = { end: number; isWhole: boolean }

function afterBlanks(text: string, start: number): number {
  let at = start
  while (at < text.length && ' \n\r\t'.includes(text[at]!)) at += 1
  return at
}

function stringAt(text: string, start: number): Piece {
  if (text[start] !== '"') return { end: start, isWhole: false }
  let at = start + 1
  for (; at < text.length && text[at] !== '"'; at += 1) {
    if (text[at]! < ' ') return { end: at, isWhole: false }
    if (text[at] !== '\\') continue
    at += 1
    if (text[at] === 'u') {
      for (const last = at + 4; at < last; at += 1) {
        if (!/[\da-f]/i.test(text[at + 1] ?? '')) return { end: at + 1, isWhole: false }
      }
    } else if (!'"\\/bfnrt'.includes(text[at] ?? ' ')) return { end: at, isWhole: false }
  }
  return { end: Math.min(at + 1, text.length), isWhole: at < text.length }
}

function scalarAt(text: string, start: number): Piece {
  const word = ['true', 'false', 'null'].find((one) => one[0] === text[start])
  if (word === undefined) return numberAt(text, start)
  let length = 1
  while (length < word.length && text[start + length] === word[length]) length += 1
  return { end: start + length, isWhole: length === word.length }
}

function numberAt(text: string, start: number): Piece {
  let at = text[start] === '-' ? start + 1 : start
  const digits = () => {
    const first = at
    while (at < text.length && isDigit(text[at])) at += 1
    return at > first
  }
  if (text[at] === '0') at += 1
  else if (!digits()) return { end: at, isWhole: false }
  if (text[at] === '.') {
    at += 1
    if (!digits()) return { end: at, isWhole: false }
  }
  if (text[at] === 'e' || text[at] === 'E') {
    at += text[at + 1] === '+' || text[at + 1] === '-' ? 2 : 1
    if (!digits()) return { end: at, isWhole: false }
  }
  return { end: at, isWhole: true }
}

const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9'
