import { isStopWord } from '../../text/stop-words.ts'

/** `-v`, whose letter says nothing without its sign and its case. */
const letter = /(?<![\p{L}\p{N}_-])[-\u2212](?<name>[A-Za-z])(?![\p{L}\p{N}_-])/gu
const option = /(?<![\p{L}\p{N}_-])(?<sign>[-\u2212]{1,2})(?<name>\p{L}[\p{L}\p{N}_-]*)/gu
/** Options at the start of a passage, perhaps of a list or a row, up to what they mean. */
const definition =
  /^(?:[*•|+-]\s+)?[`*]*(?=[-\u2212]{1,2}\p{L})(?<options>\S[^\n]{0,200}?)(?:\s{2,}|\s[|\u2013\u2014-]\s|:\s|\n|$)/u

export const lettersIn = (question: string): string[] =>
  Array.from(question.matchAll(letter), ({ groups }) => groups!['name']!)

/** The name before the word, as in the `add` subcommand. */
const subcommand = /(?<![\p{L}\p{N}_-])(?<name>\p{L}[\p{L}\p{N}_-]*)["'`’”]?\s+subcommand/u

export function subcommandIn(question: string): string | undefined {
  const { name } = subcommand.exec(question)?.groups ?? {}
  return name !== undefined && isStopWord(name.toLowerCase()) ? undefined : name
}

export const beginsWithWord = (passage: string, word: string): boolean =>
  /^[`*]*(?<first>[\p{L}\p{N}_-]+)/u.exec(passage)?.groups?.['first'] === word

export const isDefinition = (passage: string): boolean => definition.test(passage)

/**
 * Whether a passage begins with what says the meaning of one of the options. Undefined if it begins with none,
 * or with one that may be meant, as `-Wall` where `-W` is asked for.
 */
export function defines(passage: string, letters: readonly string[]): boolean | undefined {
  const { options } = definition.exec(passage)?.groups ?? {}
  if (options === undefined) return undefined
  const named = Array.from(options.matchAll(option), ({ groups }) => groups!)
  if (letters.some((one) => named.some(({ name }) => name === one))) return true
  const begun = named.filter(({ sign }) => sign!.length === 1).map(({ name }) => name![0]!)
  return begun.some((one) => letters.includes(one)) ? undefined : false
}

/** Below `-f, --fork` the long name of another may be indented by that much more. */
const maxIndent = 4

/** Whether a line begins the next option of a list; `block` is where the lines before it begin. */
export function isNextOption(text: string, block: number, line: number): boolean {
  const begun = optionAt(text, line)
  if (!begun) return false
  const above = optionAt(text, block)
  if (!above) return begun['apart'] !== undefined
  if (namesAlone.test(lastLineOf(text.slice(block, line).trimEnd()))) return false
  const more = begun['indent']!.length - above['indent']!.length
  return more >= -maxIndent && more <= (begun['sign']!.length > 1 ? maxIndent : 0)
}

const lastLineOf = (text: string): string => text.slice(text.lastIndexOf('\n') + 1)

const optionLine =
  /(?<indent>[ \t]{0,40})(?<sign>[-\u2212]{1,2})[\p{L}\p{N}](?<apart>[^\n]{0,60}?(?:\S[ \t]{2,}\S|,[ \t]+--\p{L}))?/uy
/** A line of a list whose meaning follows, perhaps after other names of it. */
const namesAlone = /^\s*[-\u2212]{1,2}[\p{L}\p{N}][\p{L}\p{N}_-]*(?:[ =][<[\p{Lu}]\S*)?,?$/u

function optionAt(text: string, at: number): Record<string, string | undefined> | undefined {
  optionLine.lastIndex = text.lastIndexOf('\n', at - 1) + 1
  return optionLine.exec(text)?.groups
}
