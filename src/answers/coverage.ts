import type { QuestionWords } from './question-words.ts'
import { rankSentences } from './sentence-choice.ts'
import type { Source } from './sources.ts'

/** The best sentence must hold this share of the question's words, weighed by how rare they are. */
const minShare = 0.34

/** Whether the sources say anything of what is asked; a question of stop words alone asks nothing. */
export function isCovered(question: QuestionWords, sources: Source[]): boolean {
  return rankSentences(question, sources).some(({ share }) => share >= minShare)
}
