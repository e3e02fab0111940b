/** The text of a file; `pages` are where its pages begin, in UTF-16 code units, null where it has none. */
export type FileText = { text: string; pages: number[] | null }
