import type { AgentAnswer, Usage } from '../../generated/types.gen.ts'
import { type AnswerPart, noUsage } from './answerer.ts'
import { type Source, toAnswerSource } from './sources.ts'

export type WholeAnswer = Omit<AgentAnswer, 'conversationId' | 'visitorId' | 'messageId'>

/** An answer as it grows, the same whether it is streamed or not. */
export class GatheredAnswer {
  readonly whole: WholeAnswer

  /** `usage` is what rewriting the question took. */
  constructor(sources: Source[], model: string, usage: Usage = noUsage) {
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
