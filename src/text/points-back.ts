export const questionWords = [
  'how|what|when|where|which|who|why',
  'wann|warum|was|we[mnr]|welche[mnrs]?|wie|wieso|wo(?:her|hin)?',
  'combien|comment|où|pourquoi|quand|quel(?:le)?s?|qui',
  'cómo|cuál(?:es)?|cuándo|cuánt[ao]s?|d[oó]nde|qué|quién(?:es)?',
].join('|')

const pointers = [
  String.raw`its?|th(?:at|is|ey|em|eirs?|ese|ose)|h(?:e|er|im|is)|she|which\sones?`,
  String.raw`(?<!\b(?:are|is)\s)there(?!\s(?:are|is))|the\s(?:first|last|next|other|second|third)\sones?`,
  String.raw`(?:ich|man|wir|darf|kann|muss|soll|wird|(?!gibt)\p{L}{2,20}t)\s(?:er|es|sie)|ih[mn]|das(?=\W*$)`,
  'da(?:bei|für|gegen|hin|mit|ran|rin|rüber|von|zu)|dort(?:hin)?|ça|cela',
  String.raw`(?<!(?:faut|existe|agit|y\sa)(?:-t)?-)(?:elles?|ils?)(?!\s(?:y|faut|existe)\s)`,
  String.raw`(?:comment|(?:p(?:eu[tx]|uis)|doi[st]|faut)(?:-(?:on|il|je))?)\sl(?:es?\s|a\s|['’])\p{L}{1,20}(?:er|ir|re)`,
  String.raw`es(?:o|to)|cómo\sl[ao]s?\s\p{L}{2,20}o|\p{L}{3,20}[aei]rl[ao]s?`,
].join('|')
const pointer = new RegExp(String.raw`(?<!\p{L})(?:${pointers})(?!\p{L})`, 'iu')
/** IT is a department, and Sie the reader. */
const noPointer = /\b(?:IT|Sie)\b/g

const preposition =
  'ab|after|bis|by|dans|de|depuis|desde|en|for|from|für|hasta|in|nach|para|pour|seit|since|until|within'
const amount = String.raw`(?:how\s(?:many|much|long|often)|wie\s?(?:viele?n?|lange|oft)|combien|cuánt[ao]s?)(?:\sd(?:e\s|['’])|\s)?\p{L}*`
/** As in `How many eggs?` and `Since when?`, which say not of what. */
const withoutSubject = new RegExp(
  String.raw`^¿?(?:(?:and|but|et|und|y)\s)?(?:(?:${preposition})\s)?(?:${amount}|${questionWords})\W*$`,
  'iu',
)

/** Whether a question has an `it` for what was asked before, or leaves that out. */
export const pointsBack = (question: string): boolean =>
  pointer.test(question.replace(noPointer, '')) || withoutSubject.test(question)
