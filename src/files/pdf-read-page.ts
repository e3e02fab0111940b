import type { PDFPageProxy } from 'unpdf/pdfjs'
import { linkTarget } from './link-target.ts'
import { type Font, type Glyph, GlyphReader } from './pdf-glyphs.ts'
import { type PdfLine, linesOf } from './pdf-lines.ts'
import { wordsOf, type PdfWord } from './pdf-words.ts'

type Layers = { isVisible: (group: unknown) => boolean }

const drawing = { annotationMode: 0 }

/** The lines of a page in reading order, by direction, the direction with most letters first. */
export async function linesOfPage(page: PDFPageProxy, layers: Layers): Promise<PdfLine[]> {
  const operators = await page.getOperatorList(drawing)
  const annotations: Annotation[] = await page.getAnnotations()
  const reader = new GlyphReader(
    (name) => page.commonObjs.get(name) as Font,
    (properties) => layers.isVisible(properties),
  )
  reader.read(operators)
  const byTurn = Map.groupBy(seen(reader.glyphs, page.view), turnOf)
  const turns = [...byTurn].toSorted(([, a], [, b]) => b.length - a.length)
  if (turns.length === 0) turns.push([0, []])
  return turns.flatMap(([turn, glyphs]) => {
    const angle = (turn * Math.PI) / turnsInPi
    const words = wordsOf(glyphs, [Math.cos(angle), Math.sin(angle)])
    if (turn !== 0) return linesOf(words)
    noteLinks(words, annotations)
    return linesOf(withFields(words, annotations))
  })
}

const turnsInPi = 12

/** In twelfths of a half turn, so that a page that was scanned askew stays in one direction. */
const turnOf = ({ way: [x, y] }: Glyph): number =>
  Math.round((Math.atan2(y, x) / Math.PI) * turnsInPi)

/** Drops letters without ink, except in a scan, whose recognised text they are, and letters beside the page. */
function seen(glyphs: Glyph[], [left = 0, bottom = 0, right = 0, top = 0]: number[]): Glyph[] {
  const isOnPage = ({ x, y }: Glyph): boolean => x >= left && x <= right && y >= bottom && y <= top
  const on = glyphs.filter(isOnPage)
  const inked = on.filter(({ isInvisible }) => !isInvisible)
  return 2 * inked.length >= on.length ? inked : on
}

/** Notes the target of a link on its words, unless they say it. */
function noteLinks(words: PdfWord[], annotations: Annotation[]): void {
  const links = annotations.filter(({ subtype, url }) => subtype === 'Link' && url)
  for (const { url = '', rect = [], quadPoints } of links) {
    const boxes = quadPoints ? boxesIn(quadPoints) : [rect]
    const linked = words.filter((word) => boxes.some((box) => isIn(word, box)))
    const target = linkTarget(url, linked.map(({ text }) => text).join(''))
    for (const word of linked) word.link = target
  }
}

function boxesIn(points: ArrayLike<number>): number[][] {
  const numbers = Array.from(points)
  return Array.from({ length: Math.floor(numbers.length / 8) }, (_, index) => {
    const corners = numbers.slice(8 * index, 8 * index + 8)
    const [xs, ys] = [0, 1].map((odd) => corners.filter((__, place) => place % 2 === odd))
    return [Math.min(...xs!), Math.min(...ys!), Math.max(...xs!), Math.max(...ys!)]
  })
}

function isIn({ left, right, y, size }: PdfWord, box: number[]): boolean {
  const [boxLeft = 0, bottom = 0, boxRight = 0, top = 0] = box
  const middle = (left + right) / 2
  return middle >= boxLeft && middle <= boxRight && y + size / 3 >= bottom && y + size / 3 <= top
}

/** Typed texts and links on a page, which are not in its drawn text. */
type Annotation = {
  subtype?: string
  fieldType?: string
  fieldValue?: unknown
  checkBox?: boolean
  radioButton?: boolean
  exportValue?: string
  buttonValue?: string
  hidden?: boolean
  annotationFlags?: number
  options?: { exportValue: string; displayValue: string }[]
  contentsObj?: { str?: string }
  url?: string
  quadPoints?: ArrayLike<number> | null
  rect?: number[]
}

const size = 10

/** Adds the texts of fields to a page's words, and boxes before their labels. */
const withFields = (words: PdfWord[], annotations: Annotation[]): PdfWord[] => [
  ...words,
  ...annotations
    .filter((annotation) => !isHidden(annotation))
    .map((annotation) => fieldAmong(words, annotation))
    .filter(({ text }) => text !== ''),
]

function fieldAmong(words: PdfWord[], annotation: Annotation): PdfWord {
  const [left = 0, bottom = 0, right = 0, top = 0] = annotation.rect ?? []
  const beside = words.filter(({ y }) => y >= bottom - 2 && y <= top)
  const y = beside[0]?.y ?? bottom + Math.min(size, (top - bottom) / 3)
  const mark = markOf(annotation)
  const label = mark === undefined ? undefined : labelOf(beside, left, right)
  const place = label ? { left: label.left - 1, right: label.left } : { left, right }
  const text = mark ?? textOf(annotation).trim()
  return { ...place, text, y, size, isBold: false, isEnd: true, link: '' }
}

/** The second flag of a note says so (ISO 32000-1, 12.5.3). */
const isHidden = ({ hidden, annotationFlags = 0 }: Annotation): boolean =>
  hidden === true || (annotationFlags & 2) !== 0

function markOf(annotation: Annotation): string | undefined {
  const { checkBox, radioButton, fieldValue, exportValue, buttonValue } = annotation
  if (!checkBox && !radioButton) return undefined
  const isTicked = fieldValue === (radioButton ? buttonValue : (exportValue ?? 'Yes'))
  return isTicked ? '[x]' : '[ ]'
}

function textOf({ subtype, fieldType, fieldValue, contentsObj, options }: Annotation): string {
  if (subtype === 'FreeText') return contentsObj?.str ?? ''
  if (subtype !== 'Widget' || (fieldType !== 'Tx' && fieldType !== 'Ch')) return ''
  const values: unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue]
  const shown = new Map(options?.map((one) => [one.exportValue, one.displayValue]))
  const texts = values.filter((value) => typeof value === 'string')
  return texts.map((text) => shown.get(text) ?? text).join(', ')
}

function labelOf(beside: PdfWord[], left: number, right: number): PdfWord | undefined {
  const before = beside.filter((word) => word.right <= left).toSorted((a, b) => b.right - a.right)
  const behind = beside.filter((word) => word.left >= right).toSorted((a, b) => a.left - b.left)
  const gaps = [left - (before[0]?.right ?? -Infinity), (behind[0]?.left ?? Infinity) - right]
  if (gaps[1]! <= gaps[0]!) return undefined
  // The label begins at the last wide gap.
  return before.find((word, index) => word.left - (before[index + 1]?.right ?? -Infinity) > size)
}
