import stopWordsOfLanguages from 'stopwords-iso' with { type: 'json' }

const english = new Set(
  `a about above after again against all am an and any are as at be because been before being below
  between both but by can cannot could did do does doing don down during each few for from further
  had has have having he her here hers herself him himself his how hows i if in into is it its itself
  just ll me more most my myself no nor not now of off on once only or other our ours ourselves out
  over own re s same she should so some such t than that thats the their theirs them themselves then
  there theres these they this those through to too under until up ve very was we were what whats
  when whens where wheres which while who whom whos why whys will with would you your yours yourself
  yourselves`.split(/\s+/),
)

const otherLanguages = Object.entries(stopWordsOfLanguages)
  .filter(([language]) => language !== 'en')
  .map(([, words]): ReadonlySet<string> => new Set(words))

/** A stop word of one language often means something in another. */
const foreignWeight = 0.3
const foreign = new Set(otherLanguages.flatMap((words) => [...words]))

/** How much a word says of what a text is about, 0 to 1. */
export function wordWeight(word: string): number {
  if (english.has(word)) return 0
  return foreign.has(word) ? foreignWeight : 1
}

const languages = [english, ...otherLanguages]
const minStopWordsOfLanguage = 2
const weightInLanguage = 0.1

/** As `wordWeight` for a text's words, each given once: only its language's stop words weigh little. */
export function wordWeightsIn(words: readonly string[]): (word: string) => number {
  const stopWords = words.filter((word) => english.has(word) || foreign.has(word))
  const counts = languages.map((stop) => stopWords.filter((word) => stop.has(word)).length)
  const most = Math.max(...counts)
  if (most < minStopWordsOfLanguage) return wordWeight
  const own = languages.filter((_, index) => counts[index] === most)
  return (word) => {
    if (english.has(word)) return 0
    return own.some((stop) => stop.has(word)) ? weightInLanguage : 1
  }
}

export const isStopWord = (word: string): boolean => english.has(word)

const capitals = /(?<![\p{L}\p{N}])\p{Lu}{2,3}(?![\p{L}\p{N}])/gu

/** `DO` and `IT`, which may be codes. None in a text that is all in capitals. */
export const stopWordsInCapitals = (text: string): string[] =>
  text === text.toUpperCase()
    ? []
    : (text.match(capitals) ?? []).filter((word) => isStopWord(word.toLowerCase()))

export const stopLetters = [...english].filter((word) => word.length === 1).join('')
