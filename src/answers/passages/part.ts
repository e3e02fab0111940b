import type { Span } from '../../text/span.ts'
import { tagsAlone } from './never-quoted.ts'

/** The separator of a row's cells, other than commas, semicolons, tabs or bars; `<` for those of markup. */
export type Cells = ' ' | '=' | ':' | '<'

/** A text's headings, paragraphs, rows and blocks of code, in order. */
export type Part = Span & {
  kind: 'heading' | 'question' | 'text' | 'name' | 'head' | 'row' | 'code' | 'comment' | 'skipped'
  /** The indexes of the headings that it stands under, the nearest last. */
  headings: readonly number[]
  /** The index of the head of a row's table; -1 for none. */
  head: number
  cells: Cells | undefined
}

/** A row that `mayBeHead` is quoted alone too, and as the head of the rows below. */
export type TextPiece = Span & {
  kind: Part['kind']
  isFirst: boolean
  level: number
  mayBeHead?: boolean
  cells?: Cells
}

/** No answer quotes more. Nine of ten such passages hold XQuAD's answers. */
export const maxLength = 700

/** Of a line in capitals, as manual pages have them above their sections. */
const levelOfCapitals = 1

export const announces = /[:：]$/

export const piece = ({ start, end }: Span, kind: Part['kind'], isFirst = true): TextPiece => ({
  start,
  end,
  kind,
  isFirst,
  level: levelOfCapitals,
})

/** The index of the part above, except for anchors between a heading and its text; -1 for none. */
export function partAbove(text: string, parts: readonly Part[], index: number): number {
  const isAnchor = ({ start, end, kind }: Part) =>
    kind === 'skipped' && tagsAlone.test(text.slice(start, end))
  let above = index - 1
  while (above >= 0 && isAnchor(parts[above]!)) above -= 1
  return above
}

/** The index of the heading or the question right above a part; -1 for none. */
export function leadOf(text: string, parts: readonly Part[], index: number): number {
  const above = partAbove(text, parts, index)
  const { kind } = parts[above] ?? {}
  return kind === 'heading' || kind === 'question' ? above : -1
}
