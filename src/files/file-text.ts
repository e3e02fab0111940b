/** `pages` are where its pages begin, in UTF-16 code units; `encoding` is its name in the Encoding Standard. */
export type FileText = { text: string; pages?: number[]; encoding?: string }
