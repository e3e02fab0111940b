import { lineEnd, lineStart } from '../../text/span.ts'
import { isStopWord, wordWeight } from '../../text/stop-words.ts'
import { wordsOnce } from '../../text/words.ts'

/** `-v`, `-0`, `--name` and `--[no-]name`. A letter says nothing without its sign and its case. */
const option =
  /(?<![\p{L}\p{N}_-])(?<sign>[-\u2212]{1,2})(?:\[no-\])?(?<name>\p{L}[\p{L}\p{N}_-]*|\p{N}(?![\p{L}\p{N}]|[.,]\p{N}|\s*(?:[%°]|degr|grad)))/giu
/** Options at the start of a passage, perhaps of a list or a row, up to what they mean. */
const definition =
  /^(?:[*•○|+-]\s+){0,4}[`*]*(?=[-\u2212]{1,2}(?:\[no-\])?(?:\p{L}|\p{N}(?![\p{L}\p{N}])))(?<options>\S[^\n]{0,200}?)(?:\s{2,}|\s[|\u2013\u2014-]\s|:\s|\n|$)/u

type Option = { sign: string; name: string }

const optionsOf = (text: string): Option[] =>
  Array.from(text.matchAll(option), ({ groups }) => groups as Option)

/** A question of more words, or of more options, asks about something else than the meaning of its options. */
const maxOtherWords = 5
const maxOptions = 8

export const withoutOptions = (question: string): string => question.replaceAll(option, ' ')

export function optionsIn(question: string): string[] {
  const said = wordsOnce(withoutOptions(question)).filter(({ text }) => wordWeight(text) > 0)
  const names = new Set(optionsOf(question).map(({ name }) => name))
  return said.length > maxOtherWords || names.size > maxOptions ? [] : [...names]
}

const isCalled = ({ name }: Option, asked: string): boolean =>
  name === asked || `no-${name}` === asked

/** As in `the add subcommand` and `what does git stash pop do`. */
const subcommands = [
  /(?<![\p{L}\p{N}_-])(?<name>\p{L}[\p{L}\p{N}_-]*)["'`’”]?\s+subcommand/u,
  /^\s*[Ww]hat\s+does\s+(?!(?:an?|my|our|the|this|your)\s)[`'"]?(?:\p{Ll}[\p{Ll}\p{N}_-]*\s+){1,2}(?<name>\p{Ll}[\p{Ll}\p{N}_-]*)[`'"]?\s+do\W*$/u,
]

export function subcommandIn(question: string): string | undefined {
  const found = subcommands.map((pattern) => pattern.exec(question)?.groups?.['name'])
  const name = found.find(Boolean)
  return name !== undefined && isStopWord(name.toLowerCase()) ? undefined : name
}

export const beginsWithWord = (passage: string, word: string): boolean =>
  /^[`*]*(?<first>[\p{L}\p{N}_-]+)/u.exec(passage)?.groups?.['first'] === word

export const isDefinition = (passage: string): boolean => definition.test(passage)

/** Whether a passage begins with the meaning of an option; undefined without one, or for `-Wall` where `-W` is asked. */
export function defines(passage: string, asked: readonly string[]): boolean | undefined {
  const named = optionNames(passage)
  if (named === undefined) return undefined
  if (asked.some((one) => named.some((other) => isCalled(other, one)))) return true
  return asked.some((one) => one.length > 1 || named.some((other) => mayBeMeant(other, one)))
    ? undefined
    : false
}

const maxLinesOfNames = 8

/** Also those of lines below that are other names of the first. */
function optionNames(passage: string, lines = maxLinesOfNames): Option[] | undefined {
  const { options } = definition.exec(passage)?.groups ?? {}
  if (options === undefined) return undefined
  const line = lineAt(passage, 0)
  const goesOn = lines > 1 && namesAlone.test(line)
  const below = goesOn ? optionNames(passage.slice(line.length).trimStart(), lines - 1) : undefined
  return [...optionsOf(options), ...(below ?? [])]
}

const mayBeMeant = ({ sign, name }: Option, letter: string): boolean =>
  sign.length === 1 && name[0] === letter

/** Whether a text has one of the options in it. That of `state -owned` may also be the end of `state-owned`. */
export function hasOption(text: string, asked: readonly string[]): boolean {
  const letters = asked.filter((one) => one.length === 1)
  const held = letters.length > 0 ? optionsOf(text) : []
  return (
    held.some((other) => letters.some((one) => isCalled(other, one) || mayBeMeant(other, one))) ||
    asked.some((one) => one.length > 1 && longOption(one).test(text))
  )
}

/** Word processors write one dash for two hyphens. */
const longOption = (name: string): RegExp =>
  new RegExp(
    String.raw`[-\u2012-\u2015\u2212](?:\[no-\]|no-)?${name.replace(/^no-/, '')}(?![\p{L}\p{N}_-])`,
    'u',
  )

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trimStart())

/** Whether a line of a text begins with what says the meaning of one of the options. */
export const definesInLines = (text: string, asked: readonly string[]): boolean =>
  linesOf(text).some((line) => defines(line, asked) === true)

export const isManual = (text: string): boolean => linesOf(text).some(isDefinition)

/** Below `-f, --fork` the long name of another may be indented by that much more. */
const maxIndent = 4

/** Whether a line begins the next option of a list; `block` is where the lines before it begin. */
export function isNextOption(text: string, block: number, line: number): boolean {
  const begun = optionAt(text, line)
  if (!begun) return false
  const last = lastLineOf(text.slice(block, line).trimEnd())
  if (last.endsWith(',')) return false
  const above = optionAt(text, block)
  const isSure = begun['apart'] !== undefined || begun['item'] !== undefined
  if (!above) return isSure || namesAlone.test(lineAt(text, line))
  if (namesAlone.test(last)) return false
  const more = widthOf(begun['indent']!) - widthOf(above['indent']!)
  return more >= -maxIndent && more <= (begun['sign']!.length > 1 ? maxIndent : 0)
}

/** In columns; `col` writes tabs for blanks. */
const widthOf = (indent: string): number =>
  Array.from(indent).reduce(
    (width, sign) => (sign === '\t' ? width - (width % 8) + 8 : width + 1),
    0,
  )

const lineAt = (text: string, at: number): string => text.slice(at, lineEnd(text, at))

const lastLineOf = (text: string): string => text.slice(text.lastIndexOf('\n') + 1)

const optionLine =
  /(?<indent>[ \t]{0,40})(?<item>[*+-][ \t]+`)?(?<sign>[-\u2212]{1,2})(?:\[no-\])?[\p{L}\p{N}](?<apart>[^\n]{0,60}?(?:[^\s,][ \t]{2,}\S|,[ \t]+--\p{L}))?/uy
/** A line of a list whose meaning follows, perhaps after other names of it. */
const namesAlone = /^\s*[-\u2212]{1,2}[\p{L}\p{N}][\p{L}\p{N}_-]*(?:[ =][<[\p{Lu}]\S*)?,?$/u

/** A line of a sentence that ends with an option, as "when using -L, --location." */
const endOfSentence =
  /^\s*[-\u2212]{1,2}[\p{L}\p{N}][\p{L}\p{N}_-]*(?:,[ \t]+--\p{L}[\p{L}\p{N}_-]*)?[.;)](?:\s|$)/u

function optionAt(text: string, at: number): Record<string, string | undefined> | undefined {
  optionLine.lastIndex = lineStart(text, at)
  if (endOfSentence.test(lineAt(text, optionLine.lastIndex))) return undefined
  return optionLine.exec(text)?.groups
}
