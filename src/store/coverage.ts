/**
 * What of a table's rows its indexes hold. Rows are stamped in the order they are written, so that
 * those they do not hold yet are found by their time.
 */
export class Coverage {
  #isIndexed = false
  #until: string | undefined
  #fresh = 0

  /** Whether there is an index of vectors, so that a search by vector may miss some. */
  get isIndexed(): boolean {
    return this.#isIndexed
  }

  /**
   * All rows written until then are in the indexes that there are; '' where there was none. It is
   * undefined where that is not known.
   */
  get until(): string | undefined {
    return this.#until
  }

  /** How many rows were written since. */
  get fresh(): number {
    return this.#fresh
  }

  /** To be called for each version, with how many rows it wrote. */
  written(rows: number): void {
    this.#fresh += rows
  }

  /** To be called when the table is opened. `until` is when its newest row was written. */
  open(isIndexed: boolean, unindexed: number, until: string | undefined): void {
    this.#isIndexed = isIndexed
    this.#fresh = unindexed
    this.#until = unindexed === 0 ? (until ?? '') : undefined
  }

  /** To be called before what an index holds is taken out of it. */
  forget(): void {
    this.#until = undefined
  }

  /**
   * Has the indexes hold what is there now; what is written meanwhile may be left out.
   * @param newest tells when the newest row was written
   * @param index settles when searches see the indexes; returns whether that of vectors holds it too
   */
  async extend(
    newest: () => Promise<string | undefined>,
    index: () => Promise<boolean>,
  ): Promise<void> {
    const covered = this.#fresh
    const until = await newest()
    const hasVectors = await index()
    if (this.#isIndexed && !hasVectors) return
    this.#isIndexed = hasVectors
    this.#until = until ?? ''
    this.#fresh -= covered
  }
}
