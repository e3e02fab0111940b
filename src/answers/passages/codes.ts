import { folded } from '../../text/folding.ts'

const token = /[\p{L}\p{N}]+(?:[-_./][\p{L}\p{N}]+)*/gu

/** The names of single things in a text: tokens that have a letter and a digit, such as AX1077. */
export const codesIn = (text: string): string[] =>
  (text.match(token) ?? []).filter((one) => /\p{L}/u.test(one) && /\p{N}/u.test(one)).map(folded)
