/** Of rows that are gone, where nobody counted them. */
export const uncounted = 2 ** 31

/** What indexes of a table there are, and how many rows not every one of them holds. */
export type IndexState = {
  /** Whether there is one of vectors. */
  hasVectors: boolean
  /** Whether that of words is the only one. */
  isWordsOnly: boolean
  unindexed: number
}

/** What indexes hold once they were made or brought up to date. */
export type Indexed = {
  /** Whether that of vectors holds what the others do. */
  hasVectors: boolean
  /**
   * Whether that of words was made anew. Brought up to date as files are merged it may go on counting
   * what is gone, which nothing tells: not where a file of which few rows are stays as it was, and not
   * where a whole file is.
   */
  areWordsNew: boolean
}

/**
 * What of a table's rows its indexes hold. Rows are stamped in the order they are written, so that
 * those they do not hold yet are found by their time.
 */
export class Coverage {
  #isIndexed = false
  #isWordsOnly = true
  #until: string | undefined
  #fresh = 0
  #gone = 0

  /** Whether there is an index of vectors, so that a search by vector may miss some. */
  get isIndexed(): boolean {
    return this.#isIndexed
  }

  /** Whether the index of words is the only one. */
  get isWordsOnly(): boolean {
    return this.#isWordsOnly
  }

  /**
   * All rows written until then are in every index that there is; '' where there was none. It is
   * undefined where that is not known, as where there are others but none of vectors: what is written
   * is put into that of words alone then.
   */
  get until(): string | undefined {
    return this.#until
  }

  /** How many rows were written since. */
  get fresh(): number {
    return this.#fresh
  }

  /** How many rows that of words may count that were deleted or replaced since, at the most. */
  get gone(): number {
    return this.#gone
  }

  /** To be called for each version, with how many rows it wrote, and how many it took away at the most. */
  written(rows: number, gone: number): void {
    this.#fresh += rows
    this.#gone += gone
  }

  /**
   * To be called when the table is opened.
   * @param until when its newest row was written
   * @param gone how many rows that are gone that of words may count
   */
  open(
    { hasVectors, isWordsOnly, unindexed }: IndexState,
    until: string | undefined,
    gone: number,
  ): void {
    this.#gone = gone
    this.#isIndexed = hasVectors
    this.#isWordsOnly = isWordsOnly
    this.#fresh = unindexed
    const isKnown = unindexed === 0 && (hasVectors || isWordsOnly)
    this.#until = isKnown ? (until ?? '') : undefined
  }

  /** To be called before there are other indexes than that of words. */
  grow(): void {
    this.#isWordsOnly = false
  }

  /** To be called before what an index holds is taken out of it. */
  forget(): void {
    this.#until = undefined
  }

  /**
   * Has the indexes hold what is there now; what is written meanwhile may be left out.
   * @param newest tells when the newest row was written
   * @param index settles when searches see the indexes
   */
  async extend(
    newest: () => Promise<string | undefined>,
    index: () => Promise<Indexed>,
  ): Promise<void> {
    const [covered, gone] = [this.#fresh, this.#gone]
    const until = await newest()
    const { hasVectors, areWordsNew } = await index()
    if (areWordsNew) this.#gone -= gone
    if (!hasVectors && !this.#isWordsOnly) {
      // That of words may hold what the others do not from here on.
      if (!this.#isIndexed) this.forget()
      return
    }
    this.#isIndexed = hasVectors
    this.#until = until ?? ''
    this.#fresh -= covered
  }
}
