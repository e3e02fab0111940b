import type { Log } from '../process/log.ts'

const betweenLines = 3_000

export class Progress {
  readonly #log: Log
  readonly #began = performance.now()
  #told = this.#began
  #datastore = { id: '', done: 0, of: 0 }
  #documents = 0

  constructor(log: Log) {
    this.#log = log
  }

  get total(): { documents: number; seconds: number } {
    const seconds = Math.round((performance.now() - this.#began) / 100) / 10
    return { documents: this.#documents, seconds }
  }

  begin(id: string, of: number): void {
    this.#datastore = { id, done: 0, of }
  }

  /** @param left documents that could not be read whole, and stay as they are */
  end(left: number): void {
    const { id: datastore } = this.#datastore
    if (left > 0)
      this.#log.warn({ datastore, left }, 'some documents lack fragments and stay as they are')
  }

  did(documents: number): void {
    this.#datastore.done += documents
    this.#documents += documents
    if (performance.now() - this.#told < betweenLines) return
    this.#told = performance.now()
    const { id: datastore, done, of } = this.#datastore
    this.#log.info({ datastore, done, of }, 'upgrading documents')
  }
}
