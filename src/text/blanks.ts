/** Invisible characters: white space, control characters and characters that are drawn as nothing. */
const blankRun = /[\s\p{Cc}\p{DI}]*/vy
const blank = /^[\s\p{Cc}\p{DI}]/v

export function skipBlanks(text: string, from: number): number {
  let next = from
  while (text.charCodeAt(next) <= 0x20) next++
  blankRun.lastIndex = next
  blankRun.test(text)
  return blankRun.lastIndex
}

export const visibleCount = (text: string): number =>
  text.replaceAll(/[\s\p{Cc}\p{DI}]+/gv, '').length

/** Behind the last visible character before `before`. */
export function visibleEnd(text: string, before = text.length): number {
  let end = before
  while (end > 0) {
    const last = text.charCodeAt(end - 1)
    const isPair = end > 1 && last >= 0xdc00 && last < 0xe000
    const start = isPair ? end - 2 : end - 1
    if (last > 0x20 && !blank.test(text.slice(start, end))) return end
    end = start
  }
  return 0
}

/** Blanks belong to the text before them, the indentation of a line to the line. */
export function behindBlanks(text: string, from: number): number {
  const next = skipBlanks(text, from)
  const feed = text.slice(from, next).lastIndexOf('\n')
  if (feed >= 0) return from + feed + 1
  return text[from - 1] === '\n' ? from : next
}
