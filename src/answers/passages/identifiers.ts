import { lineStart } from '../../text/span.ts'

/** Names of settings and the like: `max_size`, `core.autocrlf`, `requestTimeout`. */
const identifier =
  /(?<![\w.-])(?:[A-Za-z]\w*(?:\.[A-Za-z][\w-]*)+|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]+[A-Z]\w*)(?![\w-]|\.\w)/g
const marks = /^(?:\.\. [\w:-]{1,40}::|\[\[[^[\]\n]{0,100}\]\]|<[^<>\n]*>|[\s#*`[({"'|:+•-])*/u
const goesOn = /^(?:\w|[.-]\w)/

/** A question with more names asks about something else than one of them. */
const maxNames = 8

export function identifiersIn(question: string): string[] {
  const names = question.match(identifier) ?? []
  return names.length > maxNames ? [] : names
}

const setting = /^[#;]?\s?[\p{L}_][\p{L}\p{N}_.\-]{0,80}\s*=/v

/** Whether a line is a setting, perhaps one that is switched off: `;port = 80`. */
export const isSetting = (line: string): boolean => setting.test(line)
export const isCommentOfSetting = (line: string): boolean => /^[#;]/.test(line) && !isSetting(line)

/** A setting without the comment above it. */
export const belowComment = (row: string): string => row.replace(/^(?:[#;][^\n]*\n\s*)+/, '')

const term =
  /(?<indent>[ \t]*)[`*"']{0,3}(?:[A-Za-z]\w*(?:[_.]\w+)+|[A-Z][A-Z0-9]{2,})[`*"']{0,3}(?: \([^()\n]{1,60}\))?[ \t]*\r?\n(?<below>[ \t]+)\S/y

/** Whether a line is the name of a setting alone, and what is indented below says its meaning. */
export function isTerm(text: string, line: number): boolean {
  term.lastIndex = lineStart(text, line)
  const { indent = '', below = '' } = term.exec(text)?.groups ?? {}
  return below.length > indent.length
}

/** Whether a text begins with one of the names, and a row says more than that and numbers. */
export function beginsWithName(text: string, names: readonly string[], isRow: boolean): boolean {
  const said = text.replace(marks, '')
  return names.some((name) => {
    const rest = said.slice(name.length)
    const isIt = said.slice(0, name.length).toLowerCase() === name.toLowerCase()
    return isIt && !goesOn.test(rest) && (!isRow || /\p{L}{2}/u.test(rest))
  })
}

/** Whether a document is the file of a name, as `docs/max_size.md`. */
export function isFileOf(path: string, name: string): boolean {
  const file = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return [file, file.replace(/\.[^.]*$/, '')].includes(name.toLowerCase())
}
