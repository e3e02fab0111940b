const anyOf = (...words: string[]): string => `(?:${words.join('|')})`

const greeting = anyOf(
  String.raw`h(?:ello|i|ey|allo)(?:\s(?:there|again|all|everyone|zusammen))?`,
  String.raw`good\s(?:morning|afternoon|evening|day)|guten\s(?:morgen|tag|abend)|moin|servus`,
  'bonjour|bonsoir|salut|hola|buen[oa]s\\s(?:d[ií]as|tardes)|ciao|ol[áa]|hoi',
)
const thanks = anyOf(
  String.raw`(?:many\s)?thanks|thank\syou|thx|cheers`,
  String.raw`(?:vielen\s|besten\s|herzlichen\s)?dank(?:e(?:\s?sch(?:ö|oe)n)?)?`,
  String.raw`merci|(?:muchas\s)?gracias|grazie|obrigad[oa]|bedankt|dank\s(?:je|u)`,
)
const thanked = anyOf(
  String.raw`(?:very|so)\smuch|a\s(?:lot|million)|(?:an\s)?(?:dich|sie|dir|ihnen)`,
  String.raw`for\s(?:that|this|(?:your|the|all\s(?:the|your))\s(?:\p{L}{2,20}\s)?(?:answers?|explanation|help|info(?:rmation)?|reply))`,
  String.raw`für\s(?:die|deine|ihre)\s(?:antwort|hilfe|info)|pour\s(?:ton|votre)\saide|por\s(?:la|su|tu)\sayuda`,
  String.raw`sehr|beaucoup|mille|bien|in\sadvance|im\svoraus|d['’]avance|de\santemano`,
)
const assent = anyOf(
  String.raw`ok(?:ay)?|alright|all\sright|got\sit|i\ssee|(?:very\s)?good|great|perfect|super|cool|nice|awesome|excellent`,
  String.raw`(?:that|this|it)(?:['’]s|\s(?:was|is))?\s(?:very\s)?(?:helped|helpful|great|perfect)`,
  String.raw`[ao]h|hm+|sorry|yes|yeah|yep|sure|really|no(?:pe)?|ja|nein|oui|non|s[ií]|please|bitte`,
  String.raw`(?:sounds|looks)\sgood|makes\ssense|understood|what\sdo\syou\smean|i\s(?:don['’]t|do\snot)\sunderstand`,
  String.raw`prima|toll|perfekt|gut|verstanden|alles\sklar|parfait|d['’]accord|perfecto|vale|genial|de\sacuerdo`,
)
const parting = anyOf(
  String.raw`(?:good)?bye|see\syou|tsch(?:ü|ue)(?:ss|ß)|auf\swiedersehen|au\srevoir|adi[oó]s`,
)

const between = String.raw`[\s\p{P}\p{S}]`
const all = (one: string): RegExp =>
  new RegExp(String.raw`^${between}*(?:${one}(?:${between}+|$))+$`, 'iu')
const alone = all(anyOf(greeting, String.raw`${thanks}(?:\s${thanked}){0,2}`, parting))
/** `Nice` may also be what is asked for, unless something was answered before. */
const aloneLater = all(anyOf(greeting, thanks, thanked, assent, parting))
const please = anyOf('please', 'bitte', String.raw`s['’]il\s(?:te|vous)\spla[iî]t`, 'por\\sfavor')
const oneMore = anyOf(
  String.raw`(?:another|next|quick|(?:(?:just\s)?(?:one|a)\s)(?:further|last|more|other|quick))\squestion`,
  String.raw`(?:noch\s)?eine\s(?:(?:andere|kurze|letzte|weitere)\s)?frage|(?:encore\s)?une\s(?:autre\s|dernière\s)?question|otra\spregunta`,
)
const first = anyOf(greeting, thanks, oneMore, 'ok(?:ay)?', 'alright', 'sorry|hm+|[ao]h')
const joining = String.raw`(?:and|but|und|aber|et|y|e|en)\s`
/** Not as in `Hi-DPI`, `hello.js`, `OK/Cancel` and `No. 5`. */
const isWhole = String.raw`(?!\s?[\/&+=]|\.\s?\p{N}|[\-_.'’@:][\p{L}\p{N}])`
const startOf = (courtesy: string): RegExp =>
  new RegExp(
    String.raw`^\s*(?:${courtesy}(?:\s${thanked}){0,2}${isWhole}(?:[\s\p{P}\p{S}]*[\p{P}\p{S}]\s*|\s+(?=${joining}|${first})))+`,
    'iu',
  )
const atStart = startOf(first)
const assents = String.raw`${anyOf(first, assent)}(?:\s${anyOf(first, assent)}){0,2}(?=\s?[\p{P}\p{S}])`
const atStartLater = startOf(
  anyOf(first, assents, String.raw`(?:ja|no|oui|s[ií]|yes)(?=\s${joining})`),
)
const atEnd = new RegExp(
  String.raw`(?<=[\p{P}\p{S}])\s*(?:(?:${thanks}(?:\s${thanked}){0,2}|${please})(?:${between}+|$))+$`,
  'iu',
)

/** A question without the greetings and thanks around it; empty if it is nothing else, or an assent to an answer. */
export const withoutCourtesies = (question: string, isFirst: boolean): string =>
  (isFirst ? alone : aloneLater).test(question)
    ? ''
    : question.replace(isFirst ? atStart : atStartLater, '').replace(atEnd, '')

const correcting = new RegExp(
  String.raw`^\s*(?:(?:no|nope|nein|ne|non|nee|sorry|oh)[\s,.!–-]*)*(?:(?:not|nicht|pas)\s[^,.;!?]{1,60}[,.;!]\s*)?(?:i\s(?:just\s)?(?:mean|meant)|ich\smein(?:t?e)|je\s(?:veux|voulais)\sdire|(?:quiero|quer[ií]a|quise)\sdecir|ik\sbedoel(?:de)?)\s*[,:]?\s+(?!that\b|dass\b)`,
  'iu',
)

/** What stands behind `No, I mean` and the like; undefined for a question that corrects none. */
export function correctionIn(question: string): string | undefined {
  const said = question.replace(correcting, '')
  return said === question ? undefined : said
}
