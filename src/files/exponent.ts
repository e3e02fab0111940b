const base = /(?:\d|(?<!\p{L})(?:\p{L}|[cdkm]m|ft))$/v

const mark = /^\s*(?:\d{1,3}(?:[,\u2013-]\s?\d{1,3})*|[a-z]|[*†‡§]{1,3})\s*$/i
/** Behind `(a+b)` stands an exponent. */
const behindSentence = /(?<![\(+*\/=\-\u2212]\s?)\p{L}[.,;:!?\)"”’]+$/v

/** A raised piece as it is read: as an exponent, or in brackets if it leads to a note. */
export function raisedText(before: string, raised: string, isLink: boolean): string {
  const isMark = isLink || (behindSentence.test(before) && /^\s*\d/.test(raised))
  return isMark && mark.test(raised)
    ? `[${raised.trim()}]`
    : `${exponentSign(before, raised)}${raised}`
}

/** The sign of an exponent, which a raised number is, unless it is behind a word, as numbers of notes are. */
export const exponentSign = (before: string, raised: string): '^' | '' =>
  base.test(before) && /^\s*[-\u2212]?\d/.test(raised) ? '^' : ''
