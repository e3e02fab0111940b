const base = /(?:\d|(?<!\p{L})(?:\p{L}|[cdkm]m|ft))$/v

/** The sign of an exponent, which a raised number is, unless it is behind a word, as numbers of notes are. */
export const exponentSign = (before: string, raised: string): '^' | '' =>
  base.test(before) && /^\s*[-\u2212]?\d/.test(raised) ? '^' : ''
