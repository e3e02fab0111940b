import { product, unit } from '../unit.ts'
import { type Found, inPlace, type SearchFilters } from './hits.ts'
import type { DocumentVersion } from './rows.ts'

/** Of more, a search would take longer here than in their files. */
const mostRows = 8_192

type FreshRow = { found: Found; customIds: string[]; words: Uint8Array; isGone: boolean }

const decoder = new TextDecoder()

/**
 * The rows that were written last, which no index holds yet, as searches find them. LanceDB would
 * read them at each search, from a file for each commit: a hundred of those take 10 ms.
 */
export class FreshRows {
  #isRecording = false
  #since: string | undefined
  #documents = new Map<string, FreshRow[]>()
  #size = 0
  /** By their tokens, of those rows that are not in `#unheld`. */
  #holders = new Map<string, FreshRow[]>()
  #unheld: FreshRow[] = []

  /** All rows written later than that are here; undefined where that is not known. */
  get since(): string | undefined {
    return this.#since
  }

  /** To be called before the table is asked when its newest row was written. */
  record(): void {
    this.#isRecording = true
  }

  /** To be called with what it answered. */
  recorded(newest: string | undefined): void {
    if (this.#isRecording) this.#since ??= newest
  }

  /** To be called before a commit: of what it replaces one version is to be found at any time. */
  write(versions: DocumentVersion[]): void {
    if (!this.#isRecording) return
    for (const version of versions) {
      this.remove([version.id])
      const rows = rowsOf(version)
      this.#documents.set(version.id, rows)
      this.#unheld.push(...rows)
      this.#size += rows.length
    }
    if (this.#size > mostRows) this.forget()
  }

  /** To be called after a commit, with the documents it deleted. */
  remove(ids: string[]): void {
    for (const id of ids) {
      for (const row of this.#documents.get(id) ?? []) {
        row.isGone = true
        this.#size -= 1
      }
      this.#documents.delete(id)
    }
  }

  /** Leaves out what was not written after `until`, for indexes hold it. */
  keepAfter(until: string): void {
    if (this.#since === undefined || until <= this.#since) return
    const kept = [...this.#documents].filter(([, rows]) => rows[0]!.found.updatedAt > until)
    this.#start(kept)
    this.#since = until
  }

  /** To be called when nobody can tell what was written. */
  forget(): void {
    this.#start([])
    this.#since = undefined
    this.#isRecording = false
  }

  /** The `limit` rows written after `after` nearest to the vector among those the filters match. */
  nearest(vector: Float32Array, limit: number, filters: SearchFilters, after: string): Found[] {
    const direction = unit(vector)
    const rows = [...this.#documents.values()].flat().filter(matcher(filters, after))
    return best(rows, limit, ({ found }) => product(found.direction, direction))
  }

  /** The `limit` of them that hold most of the tokens, which stand in a text with blanks between. */
  holding(tokens: string, limit: number, filters: SearchFilters, after: string): Found[] {
    this.#hold()
    const values = new Map<FreshRow, number>()
    const isMatching = matcher(filters, after)
    for (const token of tokens.split(' ')) {
      const holders = this.#holders.get(token) ?? []
      const value = Math.log(1 + this.#size / Math.max(1, holders.length))
      for (const row of holders) {
        if (isMatching(row)) values.set(row, (values.get(row) ?? 0) + value)
      }
    }
    return best([...values.keys()], limit, (row) => values.get(row)!)
  }

  #start(documents: [string, FreshRow[]][]): void {
    this.#documents = new Map(documents)
    this.#unheld = documents.flatMap(([, rows]) => rows)
    this.#size = this.#unheld.length
    this.#holders = new Map()
  }

  #hold(): void {
    for (const row of this.#unheld) {
      for (const token of new Set(decoder.decode(row.words).split(' '))) {
        const holders = this.#holders.get(token)
        if (holders) holders.push(row)
        else this.#holders.set(token, [row])
      }
    }
    this.#unheld = []
  }
}

function rowsOf({
  id,
  name,
  source,
  updatedAt,
  customIds,
  fragments,
}: DocumentVersion): FreshRow[] {
  return fragments.map(({ text, words, vector }, position) => ({
    found: { datasourceId: id, position, text, name, source, updatedAt, direction: unit(vector) },
    customIds,
    words,
    isGone: false,
  }))
}

function matcher({ datasourceIds, customIds }: SearchFilters, after: string) {
  const [ids, owners] = [datasourceIds && new Set(datasourceIds), customIds && new Set(customIds)]
  return ({ found, customIds: own, isGone }: FreshRow): boolean =>
    !isGone &&
    found.updatedAt > after &&
    ids?.has(found.datasourceId) !== false &&
    (!owners || own.some((one) => owners.has(one)))
}

const best = (rows: FreshRow[], limit: number, valueOf: (row: FreshRow) => number): Found[] =>
  rows
    .map((row) => ({ found: row.found, value: valueOf(row) }))
    .toSorted((a, b) => b.value - a.value || inPlace(a.found, b.found))
    .slice(0, limit)
    .map(({ found }) => found)
