const anyOf = (...words: string[]): string => `(?:${words.join('|')})`

export const questionWords = anyOf(
  'how|what|when|where|which|who|why',
  'wann|warum|was|we[mnr]|welche[mnrs]?|wie|wieso|wo(?:her|hin)?',
  'combien|comment|où|pourquoi|quand|quel(?:le)?s?|qui',
  'cómo|cuál(?:es)?|cuándo|cuánt[ao]s?|d[oó]nde|qué|quién(?:es)?',
)

const pointers = anyOf(
  String.raw`its?|th(?:at|is|ey|em|eirs?|ese|ose)|h(?:e|er|im|is)|she|which\sones?|ones?(?=\W*$)`,
  String.raw`(?<!\b(?:are|is)\s)there(?!\s(?:are|is))`,
  String.raw`(?:ich|man|wir|darf|kann|muss|soll|wird|(?!gibt)\p{L}{2,20}t)\s(?:er|es|sie)|ih[mn]|das(?=\W*$)`,
  'da(?:bei|für|gegen|hin|mit|ran|rin|rüber|von|zu)|dort(?:hin)?|ça|cela',
  String.raw`(?<!(?:faut|y\sa)(?:-t)?-)(?:elles?|ils?)(?!\s(?:y|faut)\s)`,
  String.raw`(?:comment|(?:p(?:eu[tx]|uis)|doi[st]|faut)(?:-(?:on|il|je))?)\sl(?:es?\s|a\s|['’])\p{L}{1,20}(?:er|ir|re)`,
  String.raw`es(?:o|to)|cómo\sl[ao]s?\s\p{L}{2,20}o|\p{L}{3,20}[aei]rl[ao]s?`,
)
const pointer = new RegExp(String.raw`(?<!\p{L})${pointers}(?!\p{L})`, 'iu')
/** IT is a department, and Sie the reader. */
const noPointer = /\b(?:IT|Sie)\b/g

const preposition = anyOf(
  'after|at|before|by|during|for|from|in|on|since|under|until|with|within|without',
  'ab|am|auf|aus|bei|bis|für|im|mit|nach|ohne|seit|unter|vor',
  'à|au|avec|avant|chez|dans|depuis|en|pour|sans|sous|sur',
  'con|desde|hasta|para|sin',
)
const and = String.raw`^¿?(?:(?:and|but|et|und|y)\s)?`
const amount = String.raw`(?:how\s(?:many|much|long|often)|wie\s?(?:viele?n?|lange|oft)|combien|cuánt[ao]s?)(?:\sd(?:e\s|['’])|\s)?\p{L}*`
const state = String.raw`(?:c['’]est|est-ce|es|son|est(?:á|án)|ist\sdas)\s\p{L}+`
/** As in `On Sundays?`, `How many eggs?` and `C'est gratuit ?`, which say not of what, unlike `In which city are you?` */
const withoutSubject = new RegExp(
  String.raw`${and}(?:${preposition}\s(?!(?:what|which|welche[mnrs]?|quel(?:le)?s?|qué)\s\S+\s\S)|(?:${amount}|${state}|${questionWords})\W*$)`,
  'iu',
)
const circumstance = new RegExp(
  String.raw`${and}(?<preposition>${preposition})\s(?!${questionWords}\s)`,
  'iu',
)
const firstPerson = /(?<!\p{L})(?:I|we|ich|wir|man|je|(?:peut|doit)-on|puedo|tengo)(?!\p{L})/iu

/** Whether a question has an `it` for what was asked before, or leaves that out. */
export const pointsBack = (question: string): boolean =>
  pointer.test(question.replace(noPointer, '')) || withoutSubject.test(question)

/** Whether the next question may say `it` for what this one names; not after `For children?` or `Do I have to book?` */
export const namesSubject = (question: string): boolean =>
  !pointsBack(question) && !firstPerson.test(question)

const phrases = new RegExp(
  String.raw`\s(?<preposition>${preposition})(?:\s(?!${preposition}\s)\S+)+`,
  'giu',
)

/** An earlier question without what this one replaces, as `on Debian` before `And on Windows?` */
export function withoutReplaced(earlier: string, question: string): string {
  const same = circumstance.exec(question)?.groups?.['preposition']?.toLowerCase()
  const last = Array.from(earlier.matchAll(phrases)).findLast(
    ({ groups }) => groups!['preposition']!.toLowerCase() === same,
  )
  if (!last) return earlier
  return earlier.slice(0, last.index) + earlier.slice(last.index + last[0].length)
}
