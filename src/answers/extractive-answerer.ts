import type { Citation } from '../../generated/types.gen.ts'
import { type Answerer, type AnswerPart, declining, noUsage, type Task } from './answerer.ts'
import type { Source } from './sources.ts'
import { haveSameWords, type RankedSentence, textsOfWords } from './sentence-choice.ts'

const maxSentences = 3
const minShareOfBest = 0.8
const separator = ' '

/** Answers with sentences of the sources, word for word. The name tells how they are chosen. */
export class ExtractiveAnswerer implements Answerer {
  readonly model = 'extractive-1'

  answer(task: Task): AsyncGenerator<AnswerPart> {
    const { sentences, sources } = task
    const chosen = bestWithoutRepeats(sentences)
    // The vectors of a model may find nothing but questions.
    return chosen.length === 0 ? declining(task, this.model) : this.#quote(chosen, sources)
  }

  async *#quote(sentences: RankedSentence[], sources: Source[]): AsyncGenerator<AnswerPart> {
    let end = 0
    for (const chosen of inReadingOrder(sentences)) {
      const { text, start: from } = chosen.sentence
      const start = end === 0 ? 0 : end + separator.length
      yield { type: 'answer', delta: end === 0 ? text : separator + text }
      end = start + text.length
      const quoteStart = sources[chosen.source]!.found.offset + from
      const quote = { text, start: quoteStart, end: quoteStart + text.length }
      const citation: Citation = { start, end, source: chosen.source, quote, support: 1 }
      yield { type: 'citation', citation }
    }
    yield { type: 'end', model: this.model, finishReason: 'stop', usage: noUsage }
  }
}

function bestWithoutRepeats(ranked: RankedSentence[]): RankedSentence[] {
  const chosen: RankedSentence[] = []
  for (const one of ranked) {
    if (chosen.length === maxSentences || one.fit < minShareOfBest * ranked[0]!.fit) break
    const words = textsOfWords(one.sentence)
    if (chosen.some(({ sentence }) => haveSameWords(textsOfWords(sentence), words))) continue
    if (announces(one)) addWithNext(chosen, one, ranked)
    else chosen.push(one)
  }
  return chosen
}

const announces = ({ sentence }: RankedSentence): boolean => /[:：]$/.test(sentence.text)

/** A sentence that ends with a colon says little without the next; one that fits no better makes room. */
function addWithNext(
  chosen: RankedSentence[],
  one: RankedSentence,
  ranked: RankedSentence[],
): void {
  const room = maxSentences - chosen.length
  const last = chosen.at(-1)
  if (room < 2 && last?.fit === one.fit && !chosen.some(announces)) chosen.pop()
  else if (room < 2) return
  const next = nextTo(one, ranked)
  chosen.push(one, ...(next && !chosen.includes(next) ? [next] : []))
}

const nextTo = ({ source, sentence }: RankedSentence, ranked: RankedSentence[]) =>
  ranked
    .filter((one) => one.source === source && one.sentence.start >= sentence.end)
    .toSorted((a, b) => a.sentence.start - b.sentence.start)
    .at(0)

/** Sentences of one fragment keep its order; those of a better fragment come first. */
function inReadingOrder(chosen: RankedSentence[]): RankedSentence[] {
  const order = [...new Set(chosen.map(({ source }) => source))]
  return chosen.toSorted(
    (a, b) =>
      order.indexOf(a.source) - order.indexOf(b.source) || a.sentence.start - b.sentence.start,
  )
}
