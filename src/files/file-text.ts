/**
 * The text of a file; `pages` are where its pages begin, in UTF-16 code units, and `encoding` is its name in
 * the Encoding Standard, where a file was of pages or of text.
 */
export type FileText = { text: string; pages?: number[]; encoding?: string }
