/** One character can become 18 of them, and a query of nothing else would take as long as 18 others. */
const maxLengthOfForm = (text: string): number => 2 * text.length + 64

const ascii = /^\p{ASCII}*$/v
const isAscii = (text: string): boolean => ascii.test(text)

/** As Unicode Technical Standard 51 defines it, without characters that also stand for themselves. */
const emojiPart = String.raw`\p{Extended_Pictographic}(?:\p{EMod}|\uFE0F|[\u{E0020}-\u{E007E}]+\u{E007F})?`
export const emoji = String.raw`\p{RI}\p{RI}|${emojiPart}(?:\u200D${emojiPart})*`

/** Persian parts the pieces of a word by U+200C, as others do by a hyphen. */
const invisible = new RegExp(
  String.raw`(${emoji}|(?<=\p{sc=Arabic})\u200C(?=\p{sc=Arabic}))|[\p{Default_Ignorable_Code_Point}\p{Cf}\u0640]`,
  'gv',
)
const otherDigit = /[\p{Nd}--[0-9]]/gv

/** In Unicode's compatibility form, digits of any script as 0 to 9, without what nobody sees. */
export function plainText(text: string): string {
  if (isAscii(text)) return text
  return text
    .normalize('NFKC')
    .slice(0, maxLengthOfForm(text))
    .replace(invisible, (_all, kept?: string) => kept?.replaceAll('\uFE0F', '') ?? '')
    .replace(otherDigit, digitOf)
}

const isDigit = (codePoint: number): boolean => /\p{Nd}/v.test(String.fromCodePoint(codePoint))

/** The digits of a script stand one after the other from its zero. */
function digitOf(digit: string): string {
  const codePoint = digit.codePointAt(0)!
  let value = 0
  while (value < 9 && isDigit(codePoint - value - 1)) value++
  return String(value)
}
