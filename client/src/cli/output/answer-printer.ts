import type { AnswerSource, Citation, StreamedEvent } from '../../index.ts'
import { indented } from './highlighted.ts'
import { note, print, write } from './print.ts'
import { sourceOf } from './source.ts'
import { style } from './style.ts'

/** Prints an answer as it comes, each claim with the number of its source, and the sources last. */
export class AnswerPrinter {
  #sources: AnswerSource[] = []
  /** Of each source that is cited its quotes, in the order of the numbers. */
  readonly #cited = new Map<number, Citation[]>()

  async take(event: StreamedEvent): Promise<void> {
    if (event.type === 'sources') this.#sources = event.sources
    else if (event.type === 'answer') await write(event.delta)
    else if (event.type === 'citation') await this.#cite(event.citation)
    else if (event.type === 'done') await this.#finish(event.answer.conversationId)
  }

  async #cite(citation: Citation): Promise<void> {
    const quotes = this.#cited.get(citation.source) ?? []
    this.#cited.set(citation.source, [...quotes, citation])
    const number = [...this.#cited.keys()].indexOf(citation.source) + 1
    await write(style.cyan(` [${number}]`))
  }

  async #finish(conversationId: string | null): Promise<void> {
    await print('')
    let number = 0
    for (const [index, citations] of this.#cited) {
      const source = this.#sources[index]
      number += 1
      await print(`\n${style.cyan(`[${number}] ${source ? sourceOf(source) : ''}`)}`)
      for (const { quote } of citations) await print(style.dim(indented(`"${quote.text}"`, '    ')))
    }
    if (conversationId !== null && process.stdout.isTTY) note(`\nConversation ${conversationId}`)
  }
}
