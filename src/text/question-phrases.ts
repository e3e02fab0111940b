import { tokensOfWord } from './tokens.ts'

const asking =
  /\bwho(?:\s+\p{L}+ly)?\s+(?<does>wrote|made|created|authored|developed|programmed)\b|\bwho(?:['’]s|\s+(?:is|are|was|were))\s+the\s+(?<is>authors?|writers?|creators?)\b/iu

/** The word of a question such as `Who wrote it?` that texts say as `Written by`, or below `Authors`. */
export function authorshipIn(question: string): string | undefined {
  const { does, is } = asking.exec(question)?.groups ?? {}
  return (does ?? is)?.toLowerCase()
}

/** Whether a word says that something is made, as in "how to create an alias", and not who made it. */
export const isOfMaking = (word: string): boolean => making.test(word)

const making = /^(?:(?:creat|mak|writ)(?:e|es|ing)|(?:develop|program)s?|developing|programming)$/iu

export const authorshipTerms: readonly string[] = [
  'author',
  'authored',
  'written',
  'wrote',
].flatMap((text) => tokensOfWord({ text, kind: 'spaced' }).terms)

const word = String.raw`\p{L}[\p{L}\-]{0,40}`
/** As in `the price of it`, `its price`, `how many pages has it` and `which cover does it have`. */
const columns = [
  String.raw`(?:\b(?:what|which|who)(?:['’]?s|\s+(?:is|are|was|were))|\b(?:me|know)|^)\s+the\s+(?<column>(?:${word}\s+){1,3})(?:of|for)\s`,
  String.raw`^\s*(?!wh|how\b)(?<column>(?:${word}\s+){1,3})of\s`,
  String.raw`['’]s\s+(?<column>${word}(?:\s+${word})?)\s*\?*\s*$`,
  String.raw`\bhow\s+many\s+(?<column>${word})\s+(?:does|did|has|had|have)\s`,
  String.raw`^\s*(?:which|what)\s+(?<column>(?:${word}\s+){1,2})(?:does|did)\s`,
].map((pattern) => new RegExp(pattern, 'iu'))

/** What an English question asks of a thing, which a table may have a column of; empty if it says no such thing. */
export const columnIn = (question: string): string =>
  columns.map((pattern) => pattern.exec(question)?.groups?.['column']).find(Boolean) ?? ''

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

const parts =
  'annex|appendix|article|art\\.|chapter|clause|paragraph|rule|section|abschnitt|absatz|anhang|anlage|artikel|kapitel|regel'
const section = new RegExp(
  String.raw`(?:§{1,2}\s{0,3}|\b(?:${parts})\s{1,3})(?<number>\d{1,5}[a-z]?)(?![\p{L}\p{N}]|[.,]\d)`,
  'iu',
)

/** Finds the headings of the part that a question names, as `§ 3` or `article 12`; undefined if it names none. */
export function sectionIn(question: string): RegExp | undefined {
  const { number: own } = section.exec(question)?.groups ?? {}
  if (own === undefined) return undefined
  const heading = String.raw`#{1,6}[ \t][^\n]{0,80}?|[ \t]{0,8}(?:§{1,2}|${parts})[ \t]{0,3}`
  return new RegExp(String.raw`^(?:${heading})(?<![\d.,])${own}(?![\p{L}\p{N}]|[.,]\d)`, 'imu')
}

const numeric = [
  String.raw`\bhow\s+(?:many|much|long|old|often|big|large|far|high|tall|wide|fast|heavy)\b`,
  String.raw`^\s*when\s+(?:was|were|did|is|does)\b`,
  String.raw`\b(?:which|what)\s+(?:\p{L}+\s+){0,2}(?:age|date|number|percentage|port|range|size|temperature|version|year)\b`,
  String.raw`\b(?:limit|maximum|minimum|number|port|range|size)\s+of\b`,
  String.raw`\bwie\s*(?:viele?|lange?|hoch|oft|groß|alt|schnell|weit)\b`,
  String.raw`(?<!\p{L})(?:combien|cuánt[oa]s?|quant[aeio]s?|hoeveel)(?!\p{L})`,
].map((pattern) => new RegExp(pattern, 'iu'))

const numberWord = '(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)'
const number = new RegExp(
  String.raw`\p{N}|\b(?:${numberWord}|once|twice|(?:dai|week|month|year)ly|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b`,
  'iu',
)
const duration =
  /(?:\d|\b(?:an?|half|one|two|three|four|five|six|seven|eight|nine|ten|twelve))[\s-]*(?:s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|months?|years?)\b/i
const counted =
  /\bhow\s+many\s+(?:\p{L}+\s+){0,3}?(?<noun>\p{L}{3,30}?)s?\s+(?:are|is|do|does|did|can|has|have|had|was|were|will|may|must|there|in|per)\b/iu

/** What a passage says that answers, as any number or day, and what answers surely, as `5 eggs` or `two hours`. */
export type AskedKind = { any: RegExp; own?: RegExp }

/** Undefined for a question that asks for no number, size, time or date. */
function numbersIn(question: string): AskedKind | undefined {
  if (!numeric.some((pattern) => pattern.test(question))) return undefined
  if (/\bhow\s+long\b/i.test(question)) return { any: number, own: duration }
  const { noun } = counted.exec(question)?.groups ?? {}
  if (noun === undefined) return { any: number }
  const before = String.raw`(?:(?<!\d)\d[\d.,]{0,20}|\b${numberWord}) (?:[^\s.,;:]+ ){0,2}?${noun}`
  return { any: number, own: new RegExp(String.raw`${before}|\b${noun}s?:\s+\d`, 'iu') }
}

const storing = [
  String.raw`^\s*where\b[^\n]*\b(?:find|found|held|installed|keeps?|kept|lives?|located|puts?|resides?|saved?|saves|stored?|stores|writes?|written)\b`,
  String.raw`^\s*where(?:['’]s|\s+(?:is|are))\s[^?,]{1,40}\?*\s*$`,
  String.raw`^\s*wo\b[^\n]*\b(?:ge|abge)?(?:ablegt|befinde[nt]|finde[nt]?|installiert|lagert|legt|lieg(?:en|t)|speicher[nt]|steh(?:en|t))\b`,
  String.raw`^\W*(?:où|dónde)(?!\p{L})[^\n]*(?<!\p{L})(?:almacen|conserv|enregistr|encuentr|guard|install|stock|trouv)`,
].map((pattern) => new RegExp(pattern, 'iu'))

/** As in `where are the logs kept`, and not in `where do I set it`. */
export const asksPlace = (question: string): boolean =>
  storing.some((pattern) => pattern.test(question))

/** A path, or a way through menus. */
const place =
  /(?:^|[\s"'`(=])(?:~|\.{1,2}|\$\w+|%\w+%|[A-Z]:)?[\\/][\w.{<~-]|`[^\s`\n]{1,200}\/[^\s`]*`|\w\s?[>→›»]\s?\w|\b(?:carpeta|directory|dossier|folder|menu|ordner|verzeichnis)\b/i
const placed =
  /\b(?:found|held|installed|kept|lives?|located|placed|put|resides?|saved|stored|written)\s(?:as|at|below|in|inside|into|on|to|under)\b|\b(?:in|unter)\s[^\n.]{1,60}\s(?:abgelegt|gespeichert|installiert)\b|(?<!\p{L})(?:almacenad[oa]s?|conservée?s?|enregistrée?s?|guardad[oa]s?|stockée?s?)\s(?:dans|en)\b/iu
const defaults =
  /\b(?:defaults?\b|standard(?:einstellung|gr|m[äa]|wert)|voreinstellung|voreingestellt)|par défaut|por defecto|predeterminad/iu

/** The kinds of things that a question asks for: a number, a place or a default; that of a named setting stands below its name. */
export const askedKindsIn = (question: string, namesSetting: boolean): AskedKind[] =>
  [
    numbersIn(question),
    asksPlace(question) ? { any: place, own: placed } : undefined,
    !namesSetting && defaults.test(question) ? { any: defaults } : undefined,
  ].filter((kind) => kind !== undefined)

export const asksWho = (question: string): boolean => /\bwho(?:se|m)?\b/iu.test(question)

/** The end that says with, on or for what: mostly a thing and its kind. */
const lastPhrase =
  /\s(?:with|using|on|in|for|of|from|to|by|at|under)\s+(?:(?:an?|the)\s+)?(?<phrase>\p{L}\S*(?:\s+\p{L}+){0,2})\s*\p{P}?\s*$/u
const maxPhrase = 100

export const lastPhraseOf = (text: string): string =>
  lastPhrase.exec(text.slice(-maxPhrase))?.groups?.['phrase'] ?? ''

/** The words with a capital initial that are not first in a sentence. */
export const namesIn = (text: string): string[] =>
  text.match(/\p{Lu}(?<=[\p{L}\p{N},]\s+\p{Lu})(?:\p{L}{2,}|\p{Lu})/gu) ?? []
