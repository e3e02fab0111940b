import type { PdfWord } from './pdf-words.ts'

/** Typed texts and links on a page, which are not in its drawn text. */
export type Annotation = {
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
export function withFields(words: PdfWord[], annotations: Annotation[]): PdfWord[] {
  const all = [...words]
  for (const annotation of annotations.filter((one) => !isHidden(one))) {
    const mark = markOf(annotation)
    const [left = 0, bottom = 0, right = 0, top = 0] = annotation.rect ?? []
    const beside = words.filter(({ y }) => y >= bottom - 2 && y <= top)
    const field = {
      left,
      right,
      size,
      isBold: false,
      isEnd: true,
      link: '',
      y: beside[0]?.y ?? bottom + Math.min(size, (top - bottom) / 3),
    }
    if (mark === undefined) {
      const text = textOf(annotation).trim()
      if (text !== '') all.push({ ...field, text })
    } else all.push({ ...field, text: mark, ...placeBefore(labelOf(beside, left, right), field) })
  }
  return all
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

const placeBefore = (label: PdfWord | undefined, field: { left: number; right: number }) =>
  label ? { left: label.left - 1, right: label.left } : field
