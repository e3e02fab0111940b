import type { AnswerSource, Citation, StreamedEvent } from '../../../client/src/index.ts'
import { indented } from './highlighted.ts'
import { note, print, write } from './print.ts'
import { sourceOf } from './source.ts'
import { style } from './style.ts'

/** Prints an answer as it comes, with a number behind each claim, and then the cited sources. */
export class AnswerPrinter {
  #sources: AnswerSource[] = []
  #answer = ''
  readonly #citations: Citation[] = []

  async take(event: StreamedEvent): Promise<void> {
    if (event.type === 'sources') this.#sources = event.sources
    else if (event.type === 'answer') await this.#say(event.delta)
    else if (event.type === 'citation') await this.#cite(event.citation)
    else if (event.type === 'done') await this.#finish(event.answer.conversationId)
  }

  async #say(delta: string): Promise<void> {
    this.#answer += delta
    await write(delta)
  }

  /** A model writes the number itself. */
  async #cite(citation: Citation): Promise<void> {
    this.#citations.push(citation)
    const number = numberOf(citation.source)
    const around = this.#answer.slice(0, citation.start) + this.#answer.slice(citation.end)
    if (!around.includes(number)) await write(style.cyan(` ${number}`))
  }

  async #finish(conversationId: string | null): Promise<void> {
    await print('')
    for (const [index, source] of this.#sources.entries()) {
      const quotes = this.#citations.filter((citation) => citation.source === index)
      if (quotes.length === 0) continue
      await print(`\n${style.cyan(`${numberOf(index)} ${sourceOf(source)}`)}`)
      for (const { quote } of quotes) await print(style.dim(indented(`"${quote.text}"`, '    ')))
    }
    if (conversationId !== null && process.stdout.isTTY) note(`\nConversation ${conversationId}`)
  }
}

const numberOf = (index: number): string => `[${index + 1}]`
