import type { Line } from './pdf-lines.ts'

/** Of what lies on a page, what is typed into it; none of it is in the text that is drawn. */
export type Annotation = {
  subtype?: string
  fieldType?: string
  fieldValue?: unknown
  hidden?: boolean
  annotationFlags?: number
  options?: { exportValue: string; displayValue: string }[]
  contentsObj?: { str?: string }
  rect?: number[]
}

const size = 10

export function linesOfFields(annotations: Annotation[]): Line[] {
  return annotations.flatMap((annotation) => {
    const [left = 0, bottom = 0, right = 0] = annotation.rect ?? []
    const text = isHidden(annotation) ? '' : textOf(annotation).trim()
    return text === '' ? [] : [{ text, size, y: bottom, left, right }]
  })
}

/** The second flag of a note says so (ISO 32000-1, 12.5.3). */
const isHidden = ({ hidden, annotationFlags = 0 }: Annotation): boolean =>
  hidden === true || (annotationFlags & 2) !== 0

function textOf({ subtype, fieldType, fieldValue, contentsObj, options }: Annotation): string {
  if (subtype === 'FreeText') return contentsObj?.str ?? ''
  if (subtype !== 'Widget' || (fieldType !== 'Tx' && fieldType !== 'Ch')) return ''
  const values: unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue]
  const shown = new Map(options?.map((one) => [one.exportValue, one.displayValue]))
  const texts = values.filter((value) => typeof value === 'string')
  return texts.map((text) => shown.get(text) ?? text).join(', ')
}
