import { OPS } from 'unpdf/pdfjs'
import { type Matrix, identity, moved, multiplied, toMatrix } from './pdf-matrix.ts'

/** A letter as drawn, in points: its start, its way to its end, and its size. */
export type Glyph = {
  text: string
  x: number
  y: number
  /** Along its line, of the length of the letter. */
  way: [x: number, y: number]
  size: number
  isBold: boolean
  /** Drawn without ink, as what was recognised in a scan. */
  isInvisible: boolean
}

export type Font = {
  name?: string
  bold?: boolean
  black?: boolean
  vertical?: boolean
  fontMatrix?: ArrayLike<number>
  defaultVMetrics?: [number, number, number]
}
type DrawnGlyph = {
  unicode?: string
  width?: number
  isSpace?: boolean
  vmetric?: [number, number, number] | null
}
type Operators = { fnArray: number[]; argsArray: unknown[] }

const firstState = {
  matrix: identity,
  font: {} as Font,
  size: 0,
  charSpacing: 0,
  wordSpacing: 0,
  scale: 1,
  leading: 0,
  rise: 0,
  mode: 0,
}
type State = typeof firstState

const boldName = /bold|black|heavy|semibd|demi(?!ng)/i
/** Neither filled nor stroked (ISO 32000-1, 9.3.6). */
const invisibleModes = new Set([3, 7])
/** In thousandths of the size: a wider spacing puts each letter into a cell. */
const maxLetterSpacing = 300
/** Ghostscript writes the letters around a blank so, and moves back behind them. */
const maxSpacingOfFew = 180
const few = 2

/** Whether letters with so much space between them are words that are spaced for looks. */
function areOfWords(glyphs: (DrawnGlyph | number | null)[], spacing: number): boolean {
  const letters = glyphs.filter((glyph) => glyph !== null && typeof glyph !== 'number')
  const isAroundBlanks =
    letters.length <= few ||
    glyphs.some((glyph) => typeof glyph === 'number' && glyph > spacing / 2)
  return Math.abs(spacing) <= (isAroundBlanks ? maxSpacingOfFew : maxLetterSpacing)
}
const maxGlyphs = 4_000_000

export class GlyphReader {
  readonly glyphs: Glyph[] = []
  readonly #fontOf: (name: string) => Font
  readonly #isShown: (properties: unknown) => boolean
  readonly #saved: State[] = []
  readonly #marked: boolean[] = []
  #state: State = { ...firstState }
  #line: Matrix = identity
  #text: Matrix = identity

  /** @param isShown of the layer that the properties of a part name */
  constructor(fontOf: (name: string) => Font, isShown: (properties: unknown) => boolean) {
    this.#fontOf = fontOf
    this.#isShown = isShown
  }

  read({ fnArray, argsArray }: Operators): void {
    for (const [index, operator] of fnArray.entries()) {
      this.#actions[operator]?.(...((argsArray[index] ?? []) as never[]))
      if (this.glyphs.length > maxGlyphs) return
    }
  }

  readonly #actions: Record<number, (...args: never[]) => void> = {
    [OPS.save]: () => this.#save(),
    [OPS.restore]: () => this.#restore(),
    [OPS.transform]: (...matrix: number[]) => this.#transform(matrix),
    [OPS.paintFormXObjectBegin]: (matrix?: number[]) => {
      this.#save()
      this.#transform(matrix)
    },
    [OPS.paintFormXObjectEnd]: () => this.#restore(),
    [OPS.beginText]: () => this.#beginLine(identity),
    [OPS.setTextMatrix]: (matrix: ArrayLike<number>) => this.#beginLine(toMatrix(matrix)),
    [OPS.moveText]: (x: number, y: number) => this.#beginLine(moved(this.#line, x, y)),
    [OPS.setLeadingMoveText]: (x: number, y: number) => {
      this.#state.leading = -y
      this.#beginLine(moved(this.#line, x, y))
    },
    [OPS.nextLine]: () => this.#beginLine(moved(this.#line, 0, -this.#state.leading)),
    [OPS.setFont]: (name: string, size: number) => this.#setFont(name, size),
    [OPS.setGState]: (states: [string, unknown][]) => {
      for (const [key, value] of states) {
        if (key === 'Font') this.#setFont(...(value as [string, number]))
      }
    },
    [OPS.setCharSpacing]: (spacing: number) => (this.#state.charSpacing = spacing),
    [OPS.setWordSpacing]: (spacing: number) => (this.#state.wordSpacing = spacing),
    [OPS.setHScale]: (percent: number) => (this.#state.scale = percent / 100),
    [OPS.setLeading]: (leading: number) => (this.#state.leading = leading),
    [OPS.setTextRise]: (rise: number) => (this.#state.rise = rise),
    [OPS.setTextRenderingMode]: (mode: number) => (this.#state.mode = mode),
    [OPS.showText]: (glyphs: (DrawnGlyph | number | null)[]) => this.#show(glyphs),
    [OPS.beginMarkedContent]: () => this.#marked.push(true),
    [OPS.beginMarkedContentProps]: (tag: string, properties: unknown) =>
      this.#marked.push(tag !== 'OC' || this.#isShown(properties)),
    [OPS.endMarkedContent]: () => this.#marked.pop(),
  }

  #save(): void {
    this.#saved.push({ ...this.#state })
  }

  #restore(): void {
    this.#state = this.#saved.pop() ?? this.#state
  }

  #transform(matrix: ArrayLike<number> | undefined): void {
    this.#state.matrix = multiplied(this.#state.matrix, toMatrix(matrix))
  }

  #beginLine(matrix: Matrix): void {
    this.#line = matrix
    this.#text = matrix
  }

  #setFont(name: string, size: number): void {
    this.#state.font = this.#fontOf(name)
    this.#state.size = size
  }

  #show(glyphs: (DrawnGlyph | number | null)[]): void {
    const { font, size, scale, charSpacing, wordSpacing } = this.#state
    const isDown = font.vertical === true
    const isOfWords = areOfWords(glyphs, (1000 * charSpacing) / size)
    for (const glyph of glyphs) {
      if (glyph === null) continue
      if (typeof glyph === 'number') {
        const move = (-glyph * size) / 1000
        this.#text = isDown ? moved(this.#text, 0, move) : moved(this.#text, move * scale, 0)
        continue
      }
      const width = this.#widthOf(glyph, isDown)
      const wayOf = (length: number): [x: number, y: number] =>
        isDown ? [0, -length] : [length * scale, 0]
      const spacing = charSpacing + (glyph.isSpace ? wordSpacing : 0)
      this.#draw(glyph, ...wayOf(isOfWords || glyph.isSpace ? width + spacing : width))
      this.#text = moved(this.#text, ...wayOf(width + spacing))
    }
  }

  #widthOf({ width = 0, vmetric }: DrawnGlyph, isDown: boolean): number {
    const { font, size } = this.#state
    const perUnit = font.fontMatrix?.[0] ?? 0.001
    const drawn = isDown ? -(vmetric?.[0] ?? font.defaultVMetrics?.[0] ?? -width) : width
    return drawn * perUnit * size
  }

  #draw({ unicode = '' }: DrawnGlyph, x: number, y: number): void {
    const { matrix, font, size, rise, mode } = this.#state
    if (unicode === '' || this.#marked.includes(false)) return
    const [a, b, c, d, e, f] = multiplied(matrix, this.#text)
    this.glyphs.push({
      text: unicode,
      x: e + c * rise,
      y: f + d * rise,
      way: [a * x + c * y, b * x + d * y],
      size: Math.abs(size) * Math.hypot(c, d),
      isBold: font.bold === true || font.black === true || boldName.test(font.name ?? ''),
      isInvisible: invisibleModes.has(mode),
    })
  }
}
