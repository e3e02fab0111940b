import { hasNumbers, isVersion } from './codes.ts'
import type { QuestionWords } from './question-words.ts'
import type { ReadText } from './passages.ts'

/** Whether a part stands below a heading with the version that is asked for, as in a list of changes. */
export const isOfAskedVersion = (
  { numbers }: QuestionWords,
  { text, parts }: ReadText,
  part: number,
): boolean =>
  numbers.some(isVersion) &&
  parts[part]!.headings.some((heading) => {
    const { start, end } = parts[heading]!
    return hasNumbers(numbers, text.slice(start, end))
  })
