import type { AnswerEvent, CitationEvent, FinishReason, Usage } from '../../generated/types.gen.ts'
import type { StoredMessage } from '../store/messages/message-rows.ts'
import type { Prompts } from './prompts.ts'
import type { QuestionWords } from './question-words.ts'
import type { Findings } from './sources.ts'

/** What is to be answered, from what, and how. */
export type Task = Findings & {
  query: string
  /** The words that the sources were found by. */
  words: QuestionWords
  history: StoredMessage[]
  prompts: Prompts
  temperature: number
  noAnswer: string
}

/** How an answer ended, after all of its pieces. */
export type AnswerEnd = { type: 'end'; model: string; finishReason: FinishReason; usage: Usage }

/** A citation comes after the text it is of. */
export type AnswerPart = AnswerEvent | CitationEvent | AnswerEnd

export interface Answerer {
  /** The name of what answers, before it has. */
  readonly model: string
  /** A question that stands alone, and what it took to make it of one that goes on with others. */
  standalone?(query: string, history: StoredMessage[], signal: AbortSignal): Promise<Standalone>
  answer(task: Task, signal: AbortSignal): AsyncIterable<AnswerPart>
}

export type Standalone = { query: string; usage: Usage }

/** The parts of an answer that says there is none. */
export async function* declining({ noAnswer }: Task, model: string): AsyncGenerator<AnswerPart> {
  yield { type: 'answer', delta: noAnswer }
  yield { type: 'end', model, finishReason: 'no_answer', usage: noUsage }
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }
