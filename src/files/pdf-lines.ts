import { inColumns } from './pdf-columns.ts'
import { piecesOf, type Row, rowsOf, type Segment, textOfRow } from './pdf-rows.ts'
import type { PdfWord } from './pdf-words.ts'

export type Piece = { text: string; left: number; right: number }

/** A part of a row. Its pieces may be in several columns that are near each other. */
export type Cell = Piece & { pieces: Piece[] }

/** A line of a page; `size` is of its letters, `y` grows upwards, both in points. */
export type PdfLine = {
  text: string
  size: number
  y: number
  isBold: boolean
  cells: Cell[]
}

export const linesOf = (words: PdfWord[]): PdfLine[] =>
  inColumns(rowsOf(words)).flatMap((row) => {
    const line = lineOf(row)
    return line.text === '' ? [] : [line]
  })

function lineOf({ segments, y, size }: Row): PdfLine {
  const words = segments.flatMap((segment) => segment.words)
  return {
    text: lineText(textOfRow(segments, size)),
    size: Math.round(2 * sizeOf(words)) / 2,
    y,
    isBold: words.every(({ isBold }) => isBold),
    cells: segments.map((segment) => ({
      ...pieceOf(segment, size),
      pieces: piecesOf(segment, size).map((piece) => pieceOf(piece, size)),
    })),
  }
}

const pieceOf = (segment: Segment, size: number): Piece => ({
  text: lineText(textOfRow([segment], size)),
  left: segment.left,
  right: segment.right,
})

export const gapsBetween = (lines: PdfLine[]): number[] =>
  lines.slice(1).map(({ y }, index) => lines[index]!.y - y)

/** The size of most letters, because one may be larger or raised. */
export function sizeOf(words: { size: number; text: string }[]): number {
  const letters = new Map<number, number>()
  for (const { size, text } of words) letters.set(size, (letters.get(size) ?? 0) + text.length)
  const [[size] = [0]] = [...letters].toSorted(([, a], [, b]) => b - a)
  return size
}

/** Ligatures of fonts of TeX that do not say which characters they have, by the codes of OT1 and T1. */
const ligatures = ['ff', 'fi', 'fl', 'ffi', 'ffl']
const ligature = /[\x0b-\x0f\x1b-\x1f](?=[a-zß-ÿ])|(?<=[A-Za-zß-ÿ])[\x1b-\x1f]/g
const control = /[\0-\x08\x0b-\x1f]/g
/** TeX may draw an accent before its letter. */
const accented = /(?<accent>[¨ˆ˜ˇ˚])(?<letter>[\p{L}ı])/gv
const combining: Record<string, string> = {
  '¨': '\u0308',
  ˆ: '\u0302',
  '˜': '\u0303',
  ˇ: '\u030c',
  '˚': '\u030a',
}
const presentationForms = /[\ufb00-\ufdff\ufe70-\ufefc]+/g

const lineText = (drawn: string): string =>
  drawn
    .replace(ligature, (sign) => ligatures[(sign.charCodeAt(0) - 0x0b) % 0x10] ?? '')
    .replace(control, '')
    .replace(accented, withAccent)
    .replace(presentationForms, (letters) => letters.normalize('NFKC'))
    .trim()

function withAccent(written: string, accent: string, letter: string): string {
  const whole = `${letter === 'ı' ? 'i' : letter}${combining[accent]}`.normalize('NFC')
  return whole.length === 1 ? whole : written
}
