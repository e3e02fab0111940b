/** As in `what is a stream` and `what does gravity do`. In other languages the stop words of a definition find it. */
const subjects = [
  String.raw`what(?:['’]?s|\s+(?:is|are|was|were))\s+(?:(?:an?|the)\s+)?(?<subject>.{1,60}?)(?:\s+(?:used\s+)?for)?`,
  String.raw`what\s+(?:does|do)\s+(?:the\s+)?(?<subject>.{1,60}?)\s+(?:do|mean|stand\s+for)`,
  String.raw`(?:define|explain)\s+(?:the\s+)?(?<subject>.{1,60}?)`,
].map((pattern) => new RegExp(String.raw`^\s*${pattern}\s*\?*\s*$`, 'iu'))
/** A longer question asks more than what a thing is. */
const maxQuestion = 120
/** What is asked of two things, or of a side of one. */
const relation = /(?<!\p{L})(?:of|between|for|in|to|from|with|by|on|at|than|or|and)(?!\p{L})/iu

/** What an English question asks the meaning of; empty if it asks something else. */
export function subjectIn(question: string): string {
  if (question.length > maxQuestion) return ''
  const found = subjects.map((pattern) => pattern.exec(question)?.groups?.['subject'])
  const subject = found.find(Boolean) ?? ''
  return relation.test(subject) ? '' : subject
}

const verbs = [
  String.raw`(?:is|are|was|were)\s(?:an?|another|any|how|one|the(?!\sonly)|what|when|where)`,
  String.raw`(?:allow|consist|define|describe|enable|help|let|mean|provide|refer|represent|stand)s?`,
].join('|')
const inBrackets = String.raw`(?:\s\([^()\n]{1,120}\))?`

/** The words before the verb of a sentence that says what a thing is; one that begins with `If` tells of a case. */
const definition = new RegExp(
  String.raw`^(?![>#*\-\s]*(?:as|because|if|like|since|that|this|unlike|when|while|with)\s)[>#*\-\s]*(?:\d[\d.]{0,8}\s+)?(?<said>(?:[^.!?:;,()\n|]|[.!:](?=\S)){2,80}?)${inBrackets}\s(?:${verbs})\s`,
  'i',
)
const maxDefinition = 240

/** What a text says the meaning of, if it begins as `A *stream* is a log`; empty if it does not. */
export const definedIn = (text: string): string =>
  definition.exec(text.slice(0, maxDefinition))?.groups?.['said'] ?? ''

/** Finds lines that begin so, perhaps with a word or a number before the subject. */
export function definitionsOf(subject: string): RegExp {
  const said = subject
    .split(/\s+/)
    .map((one) => RegExp.escape(one))
    .join(String.raw`\s+`)
  const marks = String.raw`[*_"'“”„‘’\x60]{0,3}`
  const before = String.raw`^[>#*\- \t]{0,8}(?:[*_]?[\p{L}\p{N}][\p{L}\p{N}.\-]{0,40}[ ])?${marks}`
  return new RegExp(
    String.raw`${before}${said}(?:s|es)?${marks}${inBrackets}\s(?:${verbs})\s`,
    'imu',
  )
}
