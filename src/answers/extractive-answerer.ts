import type { Citation } from '../../generated/types.gen.ts'
import { type Answerer, type AnswerPart, declining, noUsage, type Task } from './answerer.ts'
import type { BestPassage } from './passages/best-passage.ts'
import { quotedSpans } from './passages/quoted-spans.ts'

const separator = '\n'

/** Answers with one passage of a source, word for word. The name tells how it is chosen. */
export class ExtractiveAnswerer implements Answerer {
  readonly model = 'extractive-1'

  answer(task: Task): AsyncGenerator<AnswerPart> {
    const { passage } = task
    // Sources may hold only questions, which are no answer.
    return passage ? this.#quote(passage) : declining(task, this.model)
  }

  async *#quote(best: BestPassage): AsyncGenerator<AnswerPart> {
    const { text: whole, placeOf, parts } = best.text
    let end = 0
    for (const span of quotedSpans(whole, parts, best.passage)) {
      const text = whole.slice(span.start, span.end)
      const start = end === 0 ? 0 : end + separator.length
      yield { type: 'answer', delta: end === 0 ? text : separator + text }
      end = start + text.length
      const from = placeOf(span.start)
      const quote = { text, start: from, end: from + text.length }
      const citation: Citation = { start, end, source: best.source, quote, support: 1 }
      yield { type: 'citation', citation }
    }
    yield { type: 'end', model: this.model, finishReason: 'stop', usage: noUsage }
  }
}
