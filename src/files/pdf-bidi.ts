import type { PdfWord } from './pdf-words.ts'

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/v

/** Words as they are read, of a line that is drawn from the left. */
export function readingOrder(words: PdfWord[]): PdfWord[] {
  if (!words.some(isRightToLeft)) return words
  const isLine = 2 * lengthOf(words.filter(isRightToLeft)) > lengthOf(words.filter(hasLetters))
  return isLine ? fromTheRight(words) : withRuns(words, isRightToLeft, turned)
}

const isRightToLeft = ({ text }: PdfWord): boolean => rightToLeft.test(text)
const lengthOf = (words: PdfWord[]): number => words.reduce((sum, { text }) => sum + text.length, 0)
const hasLetters = ({ text }: PdfWord): boolean => /\p{L}/v.test(text)

/** Numbers and words of other scripts are read from the left even here. */
const fromTheRight = (words: PdfWord[]): PdfWord[] =>
  withRuns(
    words.toReversed(),
    (word) => !isRightToLeft(word),
    (run) => run.toReversed(),
  ).map((word) => (isRightToLeft(word) ? reversed(word) : word))

const turned = (run: PdfWord[]): PdfWord[] => run.toReversed().map(reversed)

function withRuns(
  words: PdfWord[],
  isOfRun: (word: PdfWord) => boolean,
  turn: (run: PdfWord[]) => PdfWord[],
) {
  const ordered: PdfWord[] = []
  let run: PdfWord[] = []
  for (const word of words) {
    if (isOfRun(word)) run.push(word)
    else ordered.push(...turn(run.splice(0)), word)
  }
  return [...ordered, ...turn(run)]
}

/** Its letters are drawn from the left as well; marks stay behind theirs. */
const reversed = (word: PdfWord): PdfWord => ({
  ...word,
  text: (word.text.match(/\d+(?:[.,:\/]\d+)*|.\p{M}*/gsv) ?? []).toReversed().join(''),
})
