import { mostOf, normOf, rarity } from '../bm25.ts'
import { hashOfToken } from '../token-hash.ts'
import { Direction } from '../direction.ts'
import { Directions } from '../directions.ts'
import { unit } from '../unit.ts'
import { Best } from './best.ts'
import { FreshMemory } from './fresh-memory.ts'
import type { Found, FragmentPlace, Hit, SearchFilters } from './hits.ts'
import type { DocumentVersion } from './rows.ts'
import { TokenHolders } from './token-holders.ts'
import type { WordCounts } from './word-counts.ts'
import type { SoughtTokens } from './word-index.ts'

/**
 * More than come, at 300 a second, while the index of 100,000 vectors is made anew, also where queries
 * leave little of the processors to that. A search by vector of the built-in embedder goes over so many
 * in some 10 ms, and in their files takes a second.
 */
const mostRows = 32_768
/** Of those that are gone searches go over as many again, for they stay until their part goes. */
const mostWithGone = 2 * mostRows
/**
 * A write of more is left to its file: to take in all of the largest would hold the event loop for a
 * quarter of a second, and to look at their words, once that is asked, for seconds.
 */
const mostRowsAtOnce = 2_048
const mostWordsAtOnce = 32 * 1024 * 1024
/** What a row takes beside its text, words and vector. */
const bytesARow = 512

/**
 * `found` is undefined once the row is gone: where it is held it may stay for a while. `length` is in
 * tokens, once its holders were asked for. `value` is that for the search that is going on, else 0.
 */
type FreshRow = {
  found: Found | undefined
  customIds: string[]
  length: number
  value: number
  isWanted: boolean
}
type Written = FreshRow & { found: Found }

/**
 * What was written between two records, the last of it at `newest`; '' where nothing was. `directions`
 * are the rows', in their order. `bytes` are also those of rows that are gone since, for their words
 * and numbers are held until the part goes.
 */
type Part = {
  rows: FreshRow[]
  directions: Directions
  holders: TokenHolders<FreshRow>
  bytes: number
  newest: string
}

/**
 * The rows that were written last, which no index holds yet, as searches find them. LanceDB would
 * read them at each search, from a file for each commit: a hundred of those take 10 ms.
 */
export class FreshRows {
  readonly #memory: FreshMemory
  #forgotten: () => void = () => undefined
  #isRecording = false
  #since: string | undefined
  #documents = new Map<string, FreshRow[]>()
  #size = 0
  #isAnyWanted = false
  /** The latest last. Each goes as a whole: to find out anew who holds what took 60 ms. */
  #parts: Part[] = []

  /** @param memory shared with those of other tables */
  constructor(memory = new FreshMemory()) {
    this.#memory = memory
  }

  /** All rows written later than that are here; undefined where that is not known. */
  get since(): string | undefined {
    return this.#since
  }

  /** Has `forgotten` called whenever rows that no index holds are to be read from files from then on. */
  whenForgotten(forgotten: () => void): void {
    this.#forgotten = forgotten
  }

  /** To be called before the table is asked when its newest row was written. */
  record(): void {
    this.#isRecording = true
    if (this.#parts.at(-1)?.newest !== '') this.#begin()
  }

  /** To be called with what it answered. */
  recorded(newest: string | undefined): void {
    if (this.#isRecording) this.#since ??= newest
  }

  /** To be called before a commit: of what it replaces one version is to be found at any time. */
  write(versions: DocumentVersion[]): void {
    if (!this.#isRecording) return
    if (isLarge(versions)) {
      this.forget()
      return
    }
    const part = this.#parts.at(-1)!
    for (const version of versions) {
      this.remove([version.id])
      const rows = rowsOf(version)
      this.#documents.set(version.id, rows)
      this.#size += rows.length
      part.bytes += bytesOf(version, rows)
      for (const [index, { words }] of version.fragments.entries()) {
        const row = rows[index]!
        part.rows.push(row)
        part.directions.add(row.found.direction)
        part.holders.add(row, words)
      }
      if (version.updatedAt > part.newest) part.newest = version.updatedAt
    }
    const withGone = this.#parts.reduce((sum, { rows }) => sum + rows.length, 0)
    if (this.#size > mostRows || withGone > mostWithGone) this.forget()
    else this.#memory.hold(this, this.#bytes)
  }

  /** To be called after a commit, with the documents it deleted. */
  remove(ids: string[]): void {
    for (const id of ids) {
      for (const row of this.#documents.get(id) ?? []) {
        row.found = undefined
        this.#size -= 1
      }
      this.#documents.delete(id)
    }
  }

  /** Leaves out what was not written after `until`, for indexes hold it. */
  keepAfter(until: string): void {
    if (this.#since === undefined || until <= this.#since) return
    this.#since = until
    const isKept = ([row]: FreshRow[]) => row!.found!.updatedAt > until
    this.remove([...this.#documents].filter(([, rows]) => !isKept(rows)).map(([id]) => id))
    this.#parts = this.#parts.filter(({ newest }) => newest > until)
    this.#memory.hold(this, this.#bytes)
    this.#begin()
  }

  /** To be called when nobody can tell what was written. */
  forget(): void {
    this.#documents.clear()
    this.#size = 0
    this.#parts = []
    this.#since = undefined
    this.#isRecording = false
    this.#memory.hold(this, 0)
    this.#forgotten()
  }

  /** To be told which of these searches chose, for answers may be made of them again. */
  want(places: FragmentPlace[]): void {
    for (const place of places) {
      const row = this.#rowAt(place)
      if (row) row.isWanted = this.#isAnyWanted = true
    }
  }

  /** Whether some were wanted since it began. */
  get isAnyWanted(): boolean {
    return this.#isAnyWanted
  }

  /** The row at that place, if it is one of these and was wanted. */
  wantedAt(place: FragmentPlace): Found | undefined {
    const row = this.#rowAt(place)
    return row?.isWanted ? row.found : undefined
  }

  /** The `limit` rows written after `after` nearest to the vector among those the filters match. */
  nearest(vector: Float32Array, limit: number, filters: SearchFilters, after: string): Found[] {
    this.#memory.touch(this)
    const direction = unit(vector)
    const [best, matches] = [new Best(limit), matcher(filters, after)]
    for (const { rows, directions } of this.#parts) {
      directions.partsOf(direction).forEach((value, index) => {
        const row = rows[index]!
        // Of thousands few may be: to match all takes longer than to value them.
        if (best.mayTake(value) && matches(row)) best.offer(row.found, value)
      })
    }
    return best.found
  }

  /** The `limit` of them that hold most of the tokens, by BM25 of all that the table holds. */
  holding(
    tokens: SoughtTokens,
    counts: WordCounts,
    limit: number,
    filters: SearchFilters,
    after: string,
  ): readonly Hit[] {
    this.#memory.touch(this)
    const held: FreshRow[] = []
    for (const [token, times] of tokens) {
      const most = times * mostOf(rarity(counts.holdersOf(token), counts.fragments))
      for (const { holders } of this.#parts) {
        const rows = holders.of(hashOfToken(token))
        for (let place = 0; place < rows.length;) {
          const row = rows[place]!
          const frequency = timesAt(rows, place)
          if (row.value === 0) held.push(row)
          row.value += (most * frequency) / (frequency + normOf(row.length, counts.averageLength))
          place += frequency
        }
      }
    }
    const [best, matches] = [new Best(limit), matcher(filters, after)]
    for (const row of held) {
      if (best.mayTake(row.value) && matches(row)) best.offer(row.found, row.value)
      row.value = 0
    }
    return best.hits
  }

  #rowAt({ datasourceId, position }: FragmentPlace): FreshRow | undefined {
    return this.#documents.get(datasourceId)?.[position]
  }

  /** With what is held for rows that are gone. */
  get #bytes(): number {
    return this.#parts.reduce((sum, part) => sum + part.bytes + part.directions.byteLength, 0)
  }

  #begin(): void {
    const [directions, holders] = [new Directions(), new TokenHolders<FreshRow>()]
    this.#parts.push({ rows: [], directions, holders, bytes: 0, newest: '' })
  }
}

function isLarge(versions: DocumentVersion[]): boolean {
  const fragments = versions.flatMap((version) => version.fragments)
  const bytes = fragments.reduce((sum, { words }) => sum + words.length, 0)
  return fragments.length > mostRowsAtOnce || bytes > mostWordsAtOnce
}

/** How often what stands there stands there, one after the other. */
function timesAt(rows: FreshRow[], place: number): number {
  let end = place + 1
  while (rows[end] === rows[place]) end += 1
  return end - place
}

function rowsOf({ id, name, source, updatedAt, customIds, fragments }: DocumentVersion): Written[] {
  return fragments.map(({ text, vector }, position) => ({
    found: {
      datasourceId: id,
      position,
      // A piece of a string keeps all of that, here its document, for as long as it is remembered.
      text: Buffer.from(text).toString(),
      name,
      source,
      updatedAt,
      direction: new Direction(vector),
    },
    customIds,
    length: 0,
    value: 0,
    isWanted: false,
  }))
}

/** Who holds a word takes as much as the word. */
function bytesOf({ name, source, customIds, fragments }: DocumentVersion, rows: Written[]): number {
  const own = fragments.reduce(
    (sum, { text, words }) => sum + bytesARow + 2 * text.length + 2 * words.length,
    2 * (name.length + source.length + customIds.join('').length),
  )
  return rows.reduce((sum, { found }) => sum + found.direction.byteLength, own)
}

function matcher({ datasourceIds, customIds }: SearchFilters, after: string) {
  const [ids, owners] = [datasourceIds && new Set(datasourceIds), customIds && new Set(customIds)]
  return (row: FreshRow): row is Written =>
    row.found !== undefined &&
    row.found.updatedAt > after &&
    ids?.has(row.found.datasourceId) !== false &&
    (!owners || row.customIds.some((one) => owners.has(one)))
}
