import type { Word } from './pdf-words.ts'

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/v

/** Words as they are read, of a line that is drawn from the left. */
export function readingOrder(words: Word[]): Word[] {
  if (!words.some(isRightToLeft)) return words
  const isLine = 2 * lengthOf(words.filter(isRightToLeft)) > lengthOf(words.filter(hasLetters))
  return isLine ? fromTheRight(words) : withRuns(words, isRightToLeft, turned)
}

const isRightToLeft = ({ text }: Word): boolean => rightToLeft.test(text)
const lengthOf = (words: Word[]): number => words.reduce((sum, { text }) => sum + text.length, 0)
const hasLetters = ({ text }: Word): boolean => /\p{L}/v.test(text)

/** Numbers and words of other scripts are read from the left in it. */
const fromTheRight = (words: Word[]): Word[] =>
  withRuns(
    words.toReversed(),
    (word) => !isRightToLeft(word),
    (run) => run.toReversed(),
  ).map((word) => (isRightToLeft(word) ? reversed(word) : word))

const turned = (run: Word[]): Word[] => run.toReversed().map(reversed)

function withRuns(words: Word[], isOfRun: (word: Word) => boolean, turn: (run: Word[]) => Word[]) {
  const ordered: Word[] = []
  let run: Word[] = []
  for (const word of words) {
    if (isOfRun(word)) run.push(word)
    else ordered.push(...turn(run.splice(0)), word)
  }
  return [...ordered, ...turn(run)]
}

/** Its letters are drawn from the left as well; marks stay behind theirs. */
const reversed = (word: Word): Word => ({
  ...word,
  text: (word.text.match(/\d+(?:[.,:\/]\d+)*|.\p{M}*/gsv) ?? []).toReversed().join(''),
})
