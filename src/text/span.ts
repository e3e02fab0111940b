/** UTF-16 code units, `end` exclusive. */
export type Span = { start: number; end: number }
