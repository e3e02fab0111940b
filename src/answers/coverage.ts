import type { QuestionWords } from './question-words.ts'
import { rankSentences } from './sentence-choice.ts'
import type { Source } from './sources.ts'

/** The share of a question's words, by how rare they are, that the sentence which fits best must hold. */
const minShare = 0.34

/** Whether the sources say anything of what is asked; a question of stop words alone asks nothing. */
export function isCovered(question: QuestionWords, sources: Source[]): boolean {
  return rankSentences(question, sources).some(({ share }) => share >= minShare)
}
