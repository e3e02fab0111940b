import type {
  AnswerEvent,
  CitationEvent,
  FinishReason,
  Usage,
  AgentAnswer,
} from '../../generated/types.gen.ts'
import type { StoredMessage } from '../store/types.ts'
import type { BestPassage } from './passages/best-passage.ts'
import { type Findings, type Source, toAnswerSource } from './sources.ts'

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

/** A question that stands alone. `asked` is the end that was asked now, and `about` what an `it` in that stands for. */
export type Rewrite = { query: string; asked?: string; about?: string }

export type Standalone = { rewrites: Rewrite[]; usage: Usage }

export async function* declining({ noAnswer }: Task, model: string): AsyncGenerator<AnswerPart> {
  yield { type: 'answer', delta: noAnswer }
  yield { type: 'end', model, finishReason: 'no_answer', usage: noUsage }
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 }

type WholeAnswer = Omit<AgentAnswer, 'conversationId' | 'visitorId' | 'messageId'>

/** An answer as it grows, the same whether it is streamed or not. */
export class GatheredAnswer {
  readonly whole: WholeAnswer

  /** `usage` is what rewriting the question took. */
  constructor(sources: Source[], model: string, usage: Usage) {
    this.whole = {
      answer: '',
      answered: true,
      sources: sources.map(toAnswerSource),
      citations: [],
      model,
      finishReason: 'stop',
      usage,
    }
  }

  take(part: AnswerPart): void {
    const { whole } = this
    if (part.type === 'answer') whole.answer += part.delta
    else if (part.type === 'citation') whole.citations.push(part.citation)
    else {
      whole.model = part.model
      whole.finishReason = part.finishReason
      whole.answered = part.finishReason !== 'no_answer'
      whole.usage = sum(whole.usage, part.usage)
    }
  }
}

const sum = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
})
