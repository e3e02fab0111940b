/** `-v`, whose letter says nothing without its sign and its case. */
const letter = /(?<![\p{L}\p{N}_-])[-\u2212](?<name>[A-Za-z])(?![\p{L}\p{N}_-])/gu
const option = /(?<![\p{L}\p{N}_-])[-\u2212]{1,2}[\p{L}\p{N}][\p{L}\p{N}_-]*/gu
/** Options at the start of a passage, perhaps of a list or a row, up to what they mean. */
const definition = /^(?:[*•|+-]\s+)?[`*]*(?=[-\u2212])(?<options>\S[^\n]{0,200}?)(?:\s{2,}|\n|$)/u

/** The options of one letter that a question names. */
export const lettersIn = (question: string): string[] =>
  Array.from(question.matchAll(letter), ({ groups }) => groups!['name']!)

export const isDefinition = (passage: string): boolean => defines(passage, []) !== undefined

/** Whether a passage begins with what says the meaning of one of the options; undefined if of none. */
export function defines(passage: string, letters: readonly string[]): boolean | undefined {
  const { options } = definition.exec(passage)?.groups ?? {}
  if (options === undefined) return undefined
  const names = (options.match(option) ?? []).map((one) => one.replace(/^[-\u2212]+/, ''))
  return names.length === 0 ? undefined : letters.some((one) => names.includes(one))
}

/** A long name may stand below the one of a short and a long name. */
const maxIndent = 4

/** Whether a line begins with an option, as the line at `block` does or with its meaning apart. */
export function isNextOption(text: string, block: number, line: number): boolean {
  const begun = optionAt(text, line)
  const above = begun && optionAt(text, block)
  if (!above) return begun?.['apart'] !== undefined
  return Math.abs(above['indent']!.length - begun['indent']!.length) <= maxIndent
}

const optionLine =
  /(?<indent>[ \t]{0,40})[-\u2212]{1,2}[\p{L}\p{N}](?<apart>[^\n]{0,60}?(?:\S[ \t]{2,}\S|,[ \t]+[-\u2212]))?/uy

function optionAt(text: string, at: number): Record<string, string | undefined> | undefined {
  optionLine.lastIndex = text.lastIndexOf('\n', at - 1) + 1
  return optionLine.exec(text)?.groups
}
