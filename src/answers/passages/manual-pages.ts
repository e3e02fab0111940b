import { words } from '../../text/words.ts'
import type { QuestionWords } from './question-words.ts'

/** Nothing of a manual page's SYNOPSIS is quoted; its NAME is one line. Undefined for other parts. */
export function kindInManual(
  kind: string,
  text: string,
  heading: string,
): 'skipped' | 'name' | undefined {
  if (kind !== 'heading' && synopsis.test(heading)) return 'skipped'
  const isName = kind === 'text' && nameOfPage.test(heading) && programOf(text) !== ''
  return isName ? 'name' : undefined
}

const synopsis = /^\W*synopsis\W*$/i
const nameOfPage = /^\W*NAME\W*$/

/** The programs that the NAME of a manual page begins with, as in `tac - print files in reverse`. */
const programOf = (name: string): string => /^(\S[^\n]{0,200}?)\s[-–—]\s/.exec(name)?.[1] ?? ''

/** Whether a question names the program of a manual page, whose name line is no answer then. */
export const namesProgramOf = (nameLine: string, question: QuestionWords): boolean =>
  words(programOf(nameLine)).every((word) => question.coverOf([word]).indexes.length > 0)
