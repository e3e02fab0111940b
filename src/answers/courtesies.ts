const anyOf = (...phrases: string[]): string => `(?:${phrases.join('|')})`

const greeting = anyOf(
  'h(?:ello|i|ey|allo)(?: (?:there|again|all|everyone|zusammen))?',
  'good (?:morning|afternoon|evening|day)|guten (?:morgen|tag|abend)|moin|servus',
  'bonjour|bonsoir|salut|hola|buen[oa]s (?:días|tardes)|ciao|olá|hoi',
)
const much = anyOf(
  '(?:very|so) much|a (?:lot|million)|sehr|schön|schoen|beaucoup|mille|bien|dir|ihnen',
  "in advance|im voraus|d'avance|de antemano",
)
const thankYou = anyOf(
  '(?:many )?thanks|thank you|thx|cheers|(?:(?:vielen|besten|herzlichen) )?danke?',
  'merci|(?:muchas )?gracias|grazie|obrigad[oa]|bedankt|dank (?:je|u)',
)
const thanks = `${thankYou}(?: ${much}){0,2}`
/** As in `Thanks for the quick answer`, at the end of a clause. */
const thanksFor = `${thanks} (?:for|für|pour|por)(?: \\p{L}+){1,3}`
const please = "please|bitte|s'il (?:te|vous) pla[iî]t|por favor"
const oneMore = anyOf(
  '(?:just )?(?:another|one (?:last|more|other)|(?:a )?quick) question',
  '(?:noch )?eine(?: \\p{L}+)? frage|(?:encore )?une(?: autre)? question|otra pregunta',
)
const parting = '(?:good)?bye|see you|tsch(?:ü|ue)(?:ss|ß)|auf wiedersehen|au revoir|adi[oó]s'
const always = anyOf(greeting, thanks, oneMore, parting, 'ok(?:ay)?|alright|sorry|hm+|[ao]h')
const assent = anyOf(
  'all right|got it|i see|(?:very )?good|great|perfect|super|cool|nice|awesome|excellent',
  "(?:that|this|it)(?:'s| was| is)? (?:very )?(?:helped|helpful|great|perfect)(?: a lot)?",
  'yes|yeah|yep|sure|really|no(?:pe)?|ja|nein|oui|non|s[ií]',
  "(?:sounds|looks) good|makes sense|understood|what do you mean|i (?:don't|do not) understand",
  "prima|toll|perfekt|gut|verstanden|alles klar|parfait|d'accord|perfecto|vale|genial|de acuerdo",
)

const whole = (...phrases: string[]): RegExp =>
  new RegExp(`^(?=.)(?:(?:and|und|et|y) )?(?:${anyOf(...phrases)}(?: |$))*(?:${thanksFor})?$`, 'u')
const atFirst = whole(always)
/** `Nice` may also be what is asked for, unless something was answered before. */
const later = whole(always, please, assent)
const atEnd = whole(thanks, please)

/** Behind a sign and a blank, so not inside `Hi-Fi` and `hello.js`, nor in `No. 5`; and before an `and`. */
const boundary = /(?<=[,;!?](?=\p{L})|[\p{P}\p{S}]\s)(?!\p{N})|(?=\s(?:and|but|und|aber|et|y)\s)/iu

const plain = (clause: string): string =>
  clause
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim()

/** A question without the greetings and thanks around it; empty if it is nothing else, or an assent to an answer. */
export function withoutCourtesies(question: string, isFirst: boolean): string {
  const clauses = question.split(boundary)
  const courtesy = isFirst ? atFirst : later
  const start = clauses.findIndex((clause) => !courtesy.test(plain(clause)))
  const end = clauses.findLastIndex((clause) => !atEnd.test(plain(clause)))
  if (start < 0) return ''
  const asked = clauses.slice(start, end + 1)
  return asked.join('').trim()
}

/** As in `No I mean the pool` and `not on Saturdays, I mean on Sundays`. */
const correcting =
  /^(?:(?:no|nein|non|sorry|oh)\s)?(?:(?:not|nicht|pas)\s[^,.;!?]{1,60}[,.;!]\s)?(?:i\s(?:just\s)?meant?|ich\smeint?e|je\s(?:veux|voulais)\sdire|(?:quiero|quería|quise)\sdecir)[\s,:]+/iu

/** What stands behind `No, I mean` and the like; a question that corrects none as it is. */
export const withoutCorrection = (question: string): string => question.replace(correcting, '')
