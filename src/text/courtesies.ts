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
  String.raw`(?:very|so)\smuch|a\slot|for\s(?:your|the|all\sthe)\shelp|(?:an\s)?(?:dich|sie|dir|ihnen)`,
  String.raw`sehr|beaucoup|mille|bien`,
)
const assent = anyOf(
  String.raw`ok(?:ay)?|alright|all\sright|got\sit|i\ssee|(?:very\s)?good|great|perfect|super|cool|nice|awesome|excellent`,
  String.raw`(?:that|this|it)(?:['’]s|\s(?:was|is))?\s(?:very\s)?(?:helped|helpful|great|perfect)`,
  String.raw`yes|yeah|yep|sure|really|no(?:pe)?|ja|nein|oui|non|s[ií]|please|bitte`,
  String.raw`prima|toll|perfekt|gut|verstanden|alles\sklar|parfait|perfecto|vale|genial`,
)
const parting = anyOf(
  String.raw`(?:good)?bye|see\syou|tsch(?:ü|ue)(?:ss|ß)|auf\swiedersehen|au\srevoir|adi[oó]s`,
)

const between = String.raw`[\s\p{P}\p{S}]`
const all = (one: string): RegExp =>
  new RegExp(String.raw`^${between}*(?:${one}(?:${between}+|$))+$`, 'iu')
const alone = all(anyOf(greeting, String.raw`${thanks}(?:\s${thanked})?`, parting))
/** `Nice` may also be what is asked for, unless something was answered before. */
const aloneLater = all(anyOf(greeting, thanks, thanked, assent, parting))
const first = anyOf(greeting, thanks, 'ok(?:ay)?', 'alright')
const joining = String.raw`(?:and|but|und|aber|et|y|e|en)\s`
const atStart = new RegExp(
  String.raw`^\s*(?:${first}(?:\s${thanked})?(?:[\s\p{P}\p{S}]*[\p{P}\p{S}]\s*|\s+(?=${joining}|${first})))+`,
  'iu',
)
const atEnd = new RegExp(
  String.raw`(?<=[\p{P}\p{S}])\s*${thanks}(?:\s${thanked})?${between}*$`,
  'iu',
)

/** A question without the greetings and thanks around it; empty if it is nothing else, or an assent to an answer. */
export const withoutCourtesies = (question: string, isFirst: boolean): string =>
  (isFirst ? alone : aloneLater).test(question)
    ? ''
    : question.replace(atStart, '').replace(atEnd, '')

const correcting = new RegExp(
  String.raw`^\s*(?:(?:no|nope|nein|ne|non|nee|sorry|oh)[\s,.!–-]*)*(?:i\s(?:just\s)?(?:mean|meant)|ich\smein(?:t?e)|je\s(?:veux|voulais)\sdire|(?:quiero|quer[ií]a|quise)\sdecir|ik\sbedoel(?:de)?)\s*[,:]?\s+(?!that\b|dass\b)`,
  'iu',
)

/** What stands behind `No, I mean` and the like; undefined for a question that corrects none. */
export function correctionIn(question: string): string | undefined {
  const said = question.replace(correcting, '')
  return said === question ? undefined : said
}
