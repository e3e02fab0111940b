import type { Span } from '../../text/span.ts'

/** A text's headings, paragraphs, rows and blocks of code, in order. */
export type Part = Span & {
  kind: 'heading' | 'question' | 'text' | 'name' | 'head' | 'row' | 'code' | 'comment' | 'skipped'
  /** The indexes of the headings that it stands under, the nearest last. */
  headings: readonly number[]
  /** Of a row, the index of the head of its table; -1 for none. */
  head: number
}

/** A row that `mayBeHead` is quoted alone too, and as the head of the rows below. */
export type TextPiece = Span & {
  kind: Part['kind']
  isFirst: boolean
  level: number
  mayBeHead?: boolean
}
