import { folded } from '../../text/folding.ts'
import { unspaced } from '../../text/words.ts'

const run = String.raw`[[\p{L}\p{N}]--[${unspaced}]]+`
const token = new RegExp(String.raw`${run}(?:[\-_.\/]${run})*`, 'gv')

/** The numbers in a text, and the codes, which are numbers with letters. */
export const numbersAndCodesIn = (text: string): string[] =>
  (text.match(token) ?? []).filter((one) => /\p{N}/u.test(one)).map(folded)

/** The names of single things in a text: tokens that have a letter and a digit, such as AX1077. */
export const codesIn = (text: string): string[] =>
  numbersAndCodesIn(text).filter((one) => /\p{L}/u.test(one))
