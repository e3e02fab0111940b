/** Lets work of the same key be done one after the other. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Does the work when all that came before it under the key has settled. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const result = before ? before.then(work, work) : work()
    this.#last.set(key, result)
    try {
      return await result
    } finally {
      if (this.#last.get(key) === result) this.#last.delete(key)
    }
  }
}
