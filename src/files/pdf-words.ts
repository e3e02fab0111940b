import type { Glyph } from './pdf-glyphs.ts'

/** Letters that are drawn on from one another; `left` and `right` are along the line, and `y` grows upwards from it. */
export type PdfWord = {
  text: string
  left: number
  right: number
  y: number
  size: number
  isBold: boolean
  isEnd: boolean
  link: string
}

/** In sizes of the letters: a wider gap is seen as a blank. */
const maxGap = 0.1
const maxOverlap = 0.3
/** A narrower space, which its spacing closes, is a way to write nearer letters. */
const minSpace = 0.1
const accents = /^[¨ˆ˜ˇ˚´`]$/
const maxAccent = 0.8
const maxRise = 0.05
/** Letters that are nearer are one letter that is drawn twice, to look bold. */
const doubled = 0.15
const minSize = 1

export function wordsOf(glyphs: Glyph[], [cos, sin]: [number, number]): PdfWord[] {
  const words: PdfWord[] = []
  const drawn = new DrawnGlyphs()
  let word: PdfWord | undefined
  for (const { text, x, y, way, size, isBold } of glyphs) {
    if (size < minSize) continue
    const left = x * cos + y * sin
    const line = y * cos - x * sin
    const right = left + Math.hypot(...way)
    if (text.trim() === '') {
      if (right - left < minSpace * size) continue
      if (word) word.isEnd = true
      word = undefined
      continue
    }
    if (drawn.has(text, left, line, size)) continue
    if (!word || !goesOn(word, left, line, size)) {
      word = { text: '', left, right, y: line, size, isBold, isEnd: false, link: '' }
      words.push(word)
    }
    word.text += text
    word.right = Math.max(word.right, right)
    word.isBold &&= isBold
  }
  return words
}

/** Whether a letter is drawn on from the last one of a word. */
function goesOn(word: PdfWord, left: number, y: number, size: number): boolean {
  const gap = (left - word.right) / size
  const least = accents.test(word.text.at(-1)!) ? -maxAccent : -maxOverlap
  const isApart = [word.y - y, word.size - size].some((rise) => Math.abs(rise) > maxRise * size)
  return gap <= maxGap && gap >= least && !isApart
}

class DrawnGlyphs {
  readonly #rows = new Map<string, Map<number, Place[]>>()

  /** Whether the letter was drawn there before; it is from now on. */
  has(text: string, left: number, y: number, size: number): boolean {
    const rows = this.#rows.get(text) ?? new Map<number, Place[]>()
    this.#rows.set(text, rows)
    const row = Math.round(y)
    const near = doubled * size
    for (let beside = row - Math.ceil(near); beside <= row + Math.ceil(near); beside++) {
      if (rows.get(beside)?.some((place) => isNear(place, left, y, near))) return true
    }
    const places = rows.get(row)
    if (places) places.push({ left, y })
    else rows.set(row, [{ left, y }])
    return false
  }
}

type Place = { left: number; y: number }

const isNear = (place: Place, left: number, y: number, near: number): boolean =>
  Math.abs(place.left - left) < near && Math.abs(place.y - y) < near
