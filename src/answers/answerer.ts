import type { AnswerEvent, CitationEvent, FinishReason, Usage } from '../../generated/types.gen.ts'
import type { StoredMessage } from '../store/types.ts'
import type { BestPassage } from './passages/best-passage.ts'
import type { Findings } from './sources.ts'

export type Prompts = { system: string; user: string }

export type Task = Findings & {
  query: string
  passage: BestPassage | undefined
  history: StoredMessage[]
  prompts: Prompts
  temperature: number
  noAnswer: string
}

export type AnswerEnd = { type: 'end'; model: string; finishReason: FinishReason; usage: Usage }

/** A citation follows its text. */
export type AnswerPart = AnswerEvent | CitationEvent | AnswerEnd

export interface Answerer {
  readonly model: string
  /** Makes a follow-up question stand alone, and reports what that took. */
  standalone?(query: string, history: StoredMessage[], signal: AbortSignal): Promise<Standalone>
  answer(task: Task, signal: AbortSignal): AsyncIterable<AnswerPart>
}

export type Standalone = { rewrites: string[]; usage: Usage }

export async function* declining({ noAnswer }: Task, model: string): AsyncGenerator<AnswerPart> {
  yield { type: 'answer', delta: noAnswer }
  yield { type: 'end', model, finishReason: 'no_answer', usage: noUsage }
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }
