import { defaults } from '../../generated/defaults.gen.ts'
import type { ChatMessage, ChatModel, ChatRequest } from '../chat/chat-model.ts'
import { ChatFailed } from '../errors/provider-errors.ts'
import { isOutage } from '../provider/failure.ts'
import type { StoredMessage } from '../store/types.ts'
import { wordsOnce } from '../text/words.ts'
import { isStopWord, wordWeight } from '../text/stop-words.ts'
import { type Standalone, noUsage } from './answerer.ts'
import { toEarlier } from './chat-messages.ts'
import { codesIn, withoutCodes } from './passages/codes.ts'

const maxQuestionLength = 8_192

/** A question with at most so many words of its own continues the one before. */
const maxOwnWords = 1
/** One that is only `and for …`, or that corrects the one before, may have more. */
const maxOwnWordsOfPart = 3
const unspacedCharactersAWord = 4

/** The possible meanings of a question, the likeliest first; none of what only greets or thanks. */
export function queryRewrites(query: string, history: StoredMessage[]): string[] {
  const before = history.filter(({ role }) => role === 'user')
  const { said, continues } = toAsked(query, before.length === 0)
  if (said === '') return []
  if (!continues || isSmallTalk(said)) return [said]
  const asked = before
    .map(({ content }, index) => toAsked(content, index === 0))
    .filter((one) => one.said !== '')
  if (asked.length === 0) return [said]
  const subject = asked.findLastIndex((one) => !one.continues)
  const [first, ...between] = asked.slice(Math.max(0, subject)).map((one) => one.said)
  const whole = joined(first!, ...between, said)
  return between.length > 0 ? [whole, joined(first!, said), said] : [whole, said]
}

const joined = (...parts: string[]): string => parts.reduce(goneOn).slice(-maxQuestionLength)

/** What is asked, and whether the question needs the one before. */
function toAsked(query: string, isFirst: boolean): { said: string; continues: boolean } {
  const asked = withoutCourtesies(query, isFirst)
  const corrected = correctionIn(asked)
  const said = corrected ?? asked
  const isPart = corrected !== undefined || part.test(said)
  const most = isPart ? maxOwnWordsOfPart : maxOwnWords
  return { said, continues: ownWords(said) <= most && !asksMeaning(said) }
}

/** As in `and for the guests?`, which asks nothing by itself. */
const part =
  /^[\s¿]*(?:(?:and|but|or|und|aber|oder|et|y|o|ou)(?![\p{L}\p{N}])|(?:what|how)\sabout\b|was\sist\smit\b)(?!.*(?<!\p{L})(?:how|what|when|where|who|why|which|do|does|did|can|is|are|wie|was|wann|wo(?:her|hin)?|we[mnr]|warum|weshalb|wieso|welche[mnrs]?|kann|comment|combien|où|pourquoi|quand|quel(?:le)?s?|qui|cómo|cuál(?:es)?|cuándo|cuánt[ao]s?|d[oó]nde|qué|quién(?:es)?)(?!\p{L}|\sabout))/iu

const whatIs =
  /^[\s¿]*(?:what(?:['’]?s|\s(?:is|are))\s|who(?:['’]?s|\sis)\s|was\s(?:ist|sind)\s|wer\sist\s|qu['’]est[-\s]ce\squ(?:e\s|['’])|c['’]est\squoi\s|qu[eé]\s(?:es|son)\s)(?<next>\S+)/iu
const thing = /^(?:an?$|eine?$|un[ae]?$|\p{Lu})/u
const word = /^\s*what\s(?:is|are)\s[\p{L}\p{N}_-]+\s*\?*\s*$/iu
/** As in `What is included?`, which a text says of what was asked before. */
const state =
  /\b(?:\p{L}+(?:[ai]ble|ed)|best|coming|different|due|first|forbidden|free|going|happening|important|last|left|missing|necessary|new|next|optional|special|wrong)\s*\?*\s*$/iu

/** As in `What is a stream?`, `What is Trivy?` and `What is gravity?`: a question of its own, unlike `What is the price?` */
const asksMeaning = (question: string): boolean =>
  thing.test(whatIs.exec(question)?.groups?.['next'] ?? '') ||
  (word.test(question) && !state.test(question) && ownWords(question) > 0)

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
  String.raw`yes|yeah|yep|sure|really|no(?:pe)?|ja|nein|oui|non|s[ií]|please|bitte`,
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
const first = anyOf(greeting, thanks, oneMore, 'ok(?:ay)?', 'alright')
const joining = String.raw`(?:and|but|und|aber|et|y|e|en)\s`
/** Not as in `Hi-DPI`, `hello.js` and `OK/Cancel`. */
const isWhole = String.raw`(?!\s?[\/&+=]|[\-_.'’@:][\p{L}\p{N}])`
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
const withoutCourtesies = (question: string, isFirst: boolean): string =>
  (isFirst ? alone : aloneLater).test(question)
    ? ''
    : question.replace(isFirst ? atStart : atStartLater, '').replace(atEnd, '')

const correcting = new RegExp(
  String.raw`^\s*(?:(?:no|nope|nein|ne|non|nee|sorry|oh)[\s,.!–-]*)*(?:(?:not|nicht|pas)\s[^,.;!?]{1,60}[,.;!]\s*)?(?:i\s(?:just\s)?(?:mean|meant)|ich\smein(?:t?e)|je\s(?:veux|voulais)\sdire|(?:quiero|quer[ií]a|quise)\sdecir|ik\sbedoel(?:de)?)\s*[,:]?\s+(?!that\b|dass\b)`,
  'iu',
)

/** What stands behind `No, I mean` and the like; undefined for a question that corrects none. */
function correctionIn(question: string): string | undefined {
  const said = question.replace(correcting, '')
  return said === question ? undefined : said
}

/** `No` and `Who are you?` are small talk. `Why?` and `How do you do that?` continue a question. */
const isSmallTalk = (query: string): boolean =>
  wordsOnce(query).every(({ text }) => isStopWord(text)) &&
  (!/\b(?:how|wh(?:at|en|ere|ich|o|om|y))\b/i.test(query) ||
    /\b(?:who|what|how) are you\b|\bwhat (?:can|do) you do\b/i.test(query))

/** A question for another code is no longer about the one before. */
const goneOn = (before: string, next: string): string =>
  codesIn(next).length > 0 ? `${withoutCodes(before)} ${next}` : `${before} ${next}`

const howMuch = /\b(?:within\s)?how\s(?:big|fast|heavy|high|large|long|many|much|often|old|tall)\b/gi

const ownWords = (query: string): number =>
  wordsOnce(query.replace(howMuch, 'how')).reduce((count, { text, kind }) => {
    if (kind === 'unspaced') return count + charactersOf(text) / unspacedCharactersAWord
    return wordWeight(text) === 1 ? count + 1 : count
  }, 0)

/** Characters of Chinese and Japanese, without particles that only mark a question. */
const particles = /怎么样|怎麼樣|では|[那呢吗嗎的吧呀はもね]/g
const charactersOf = (text: string): number => [...text.replace(particles, '')].length

/** As `queryRewrites`, by a model. @throws ChatFailed if it cannot be reached, ChatTimeout */
export async function askStandalone(
  chat: ChatModel,
  modelName: ChatRequest['modelName'],
  query: string,
  history: StoredMessage[],
  signal: AbortSignal,
): Promise<Standalone> {
  const messages: ChatMessage[] = [
    { role: 'system', content: instruction },
    ...toEarlier(history),
    { role: 'user', content: query },
  ]
  const request = { modelName, temperature: defaults.InitialTemperature, messages }
  const { text, usage } = await saidBy(chat, request, signal)
  const rewritten = text.trim().slice(0, maxQuestionLength)
  return { rewrites: rewritten ? [rewritten] : queryRewrites(query, history), usage }
}

async function saidBy(chat: ChatModel, request: ChatRequest, signal: AbortSignal) {
  const said = { text: '', usage: noUsage }
  try {
    for await (const delta of chat.complete(request, signal)) {
      if (delta.type === 'delta') said.text += delta.text
      else said.usage = delta.usage
    }
  } catch (error) {
    if (!(error instanceof ChatFailed) || isOutage(error.cause)) throw error
  }
  return said
}

const instruction =
  'Write the last question again so that it can be understood without the messages before it, ' +
  'in its language. Answer with the question alone, and do not answer it.'
