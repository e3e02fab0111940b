import { Mutex } from 'async-mutex'
import type { DocumentVersion } from './documents.ts'
import { bytesOf, RecentSegment } from './recent-segment.ts'

const maxBytes = 256 * 1024 * 1024

/** Bounds the memory of recent rows, which all tables share. */
export class RecentBudget {
  #held = 0

  take(bytes: number): boolean {
    if (this.#held + bytes > maxBytes) return false
    this.#held += bytes
    return true
  }

  give(bytes: number): void {
    this.#held -= bytes
  }
}

type RecentChange = { written: DocumentVersion[]; gone: { id: string }[] }

/** The rows that the index of words lacks. LanceDB would tokenize them in each search, and score by matching rows alone. */
export class RecentRows {
  readonly #budget: RecentBudget | undefined
  readonly #writing = new Mutex()
  /** Begun by jobs that bring the index up to date. Empty after `forget`. */
  #segments: RecentSegment[] = []
  #isWhole: boolean

  /** Without a budget it keeps nothing. */
  constructor(budget?: RecentBudget) {
    this.#budget = budget
    this.#isWhole = budget !== undefined
    if (budget) this.#segments.push(new RecentSegment())
  }

  /** With those of a commit that runs. */
  get size(): number {
    return this.#segments.reduce((sum, { size }) => sum + size, 0)
  }

  get isSearched(): boolean {
    return this.#isWhole && this.size > 0
  }

  /** What to search beside the index; undefined if LanceDB is to read the rows itself. */
  get segments(): readonly RecentSegment[] | undefined {
    return this.isSearched ? [...this.#segments] : undefined
  }

  /** @param commit returns whether all rows came in */
  write({ written, gone }: RecentChange, commit: () => Promise<boolean>): Promise<void> {
    return this.#writing.runExclusive(async () => {
      const isHeld = this.#stage(written)
      try {
        if (!(await commit())) this.forget()
        for (const segment of this.#segments) for (const { id } of gone) segment.hide(id)
        if (isHeld) this.#segments.at(-1)?.show()
      } catch (error) {
        // The commit may be done anyway.
        this.forget()
        throw error
      }
    })
  }

  /** Call before the index is brought up to date. Call the result once the table's reads see that. */
  async beginIndexing(): Promise<() => void> {
    const segment = new RecentSegment()
    await this.#writing.runExclusive(() => {
      if (this.#budget) this.#segments.push(segment)
    })
    return () => {
      const at = this.#segments.indexOf(segment)
      if (at === -1) return
      this.#drop(at)
      this.#isWhole = true
    }
  }

  /** Leaves all rows to LanceDB until the index is up to date. */
  forget(): void {
    this.#isWhole = false
    this.#drop(this.#segments.length)
  }

  #drop(count: number): void {
    for (const { bytes } of this.#segments.splice(0, count)) this.#budget?.give(bytes)
  }

  /** Takes in rows that searches do not find yet. @returns whether there was room */
  #stage(documents: DocumentVersion[]): boolean {
    const segment = this.#segments.at(-1)
    if (!segment) return false
    for (const document of documents) {
      for (const position of document.fragments.keys()) {
        if (!this.#budget?.take(bytesOf(document, position))) {
          this.forget()
          return false
        }
        segment.stage(document, position)
      }
    }
    return true
  }
}
