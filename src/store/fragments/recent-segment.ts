import { labelsOf } from '../../metadata/labels.ts'
import { TimeSlice } from '../../process/time-slice.ts'
import { hashesOf, hashesOfTokens } from '../../text/tokens.ts'
import type { WeightedTokens } from '../lance/search-indexes.ts'
import type { DocumentVersion } from './documents.ts'
import { type Found, type Hit, normalized, type SearchFilters } from './found.ts'
import { metadataTest } from './metadata-condition.ts'
import { bm25, idfsOf, type SampledTerms } from './term-statistics.ts'

type Row = { document: DocumentVersion; position: number; place: number; found?: Found }

/** An estimate: two bytes a letter, and twice the tokens, for their postings. */
export function bytesOf({ fragments, metadata }: DocumentVersion, position: number): number {
  const { text, words, vector } = fragments[position]!
  const labels = position === 0 ? 16 * (metadata?.length ?? 0) : 0
  return 400 + 2 * (text.length + words.byteLength) + vector.byteLength + labels
}

/** Rows in memory, searched as LanceDB searches those of its index of words. */
export class RecentSegment {
  readonly #rows: Row[] = []
  /** How many tokens each of the first rows has. Searches analyse rows, because most loads are not searched. */
  readonly #tokens: number[] = []
  /** By the hash of a token: the places of its rows, and how often each holds it, in one number. */
  readonly #postings = new Map<number, number[]>()
  readonly #shown = new Map<string, Row[]>()
  /** By place, 1 for a row that is found. */
  #isShown = new Uint8Array(minPlaces)
  readonly #labels = new WeakMap<DocumentVersion, ReadonlySet<string>>()
  #staged: Row[] = []
  #bytes = 0

  get size(): number {
    return this.#rows.length
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Takes in a fragment that is found after `show`. */
  stage(document: DocumentVersion, position: number): void {
    const row = { document, position, place: this.#rows.length }
    this.#rows.push(row)
    this.#staged.push(row)
    this.#bytes += bytesOf(document, position)
  }

  show(): void {
    this.#makeRoom()
    for (const row of this.#staged) {
      this.#isShown[row.place] = 1
      const rows = this.#shown.get(row.document.id)
      if (rows) rows.push(row)
      else this.#shown.set(row.document.id, [row])
    }
    this.#staged = []
  }

  #makeRoom(): void {
    if (this.#rows.length <= this.#isShown.length) return
    const isShown = new Uint8Array(2 * this.#rows.length)
    isShown.set(this.#isShown)
    this.#isShown = isShown
  }

  hide(id: string): void {
    for (const { place } of this.#shown.get(id) ?? []) this.#isShown[place] = 0
    this.#shown.delete(id)
  }

  /** The rows that are found now, for a search that takes some time. */
  get shown(): Uint8Array {
    return this.#isShown.slice(0, this.#rows.length)
  }

  /** The `limit` best of the shown rows that the filters match, best first. */
  async search(
    tokens: WeightedTokens,
    limit: number,
    filters: SearchFilters,
    statistics: SampledTerms,
    shown: Uint8Array,
  ): Promise<Hit[]> {
    const isWanted = this.#testOf(filters)
    const slice = new TimeSlice()
    while (this.#tokens.length < shown.length) {
      this.#analyseNext()
      await slice.pause()
    }
    const hits: PlaceHit[] = []
    for (const [place, score] of this.#scores(tokens, statistics).entries()) {
      const row = this.#rows[place]!
      if (score > 0 && shown[place] === 1 && isWanted(row)) hits.push({ place, score })
      if (place % rowsPerPause === 0) await slice.pause()
    }
    return bestOf(hits, limit).map(({ place, score }) => {
      return { found: foundIn(this.#rows[place]!), score }
    })
  }

  #analyseNext(): void {
    const place = this.#tokens.length
    const { document, position } = this.#rows[place]!
    const hashes = hashesOfTokens(document.fragments[position]!.words)
    for (const hash of hashes) {
      const postings = this.#postings.get(hash)
      if (!postings) this.#postings.set(hash, [postingOf(place)])
      else if (placeOf(postings.at(-1)!) !== place) postings.push(postingOf(place))
      else if (timesOf(postings.at(-1)!) < maxTimes) postings[postings.length - 1]! += 1
    }
    this.#tokens.push(hashes.length)
  }

  #scores(tokens: WeightedTokens, statistics: SampledTerms): Float64Array {
    const tokensPerFragment = statistics.tokensPerFragment || 1
    const scores = new Float64Array(this.#tokens.length)
    const asked = [...tokens.keys()]
    const idfs = idfsOf(statistics.documentFrequencies(asked), statistics.fragments)
    for (const [index, hash] of hashesOf(asked).entries()) {
      const weight = tokens.get(asked[index]!)! * idfs[index]!
      for (const posting of this.#postings.get(hash) ?? []) {
        const place = placeOf(posting)
        scores[place]! += bm25(weight, timesOf(posting), this.#tokens[place]! / tokensPerFragment)
      }
    }
    return scores
  }

  #testOf({ datasourceIds, customIds, metadata, notTexts, and }: SearchFilters): RowTest {
    const tests: RowTest[] = []
    if (datasourceIds) {
      const wanted = new Set(datasourceIds)
      tests.push(({ document }) => wanted.has(document.id))
    }
    if (customIds) {
      const wanted = new Set(customIds)
      tests.push(({ document }) => document.customIds.some((one) => wanted.has(one)))
    }
    if (notTexts) {
      const unwanted = new Set(notTexts)
      tests.push(({ document, position }) => !unwanted.has(document.fragments[position]!.text))
    }
    if (metadata) {
      const test = metadataTest(metadata)
      tests.push(({ document }) => test(this.#labelsOf(document)))
    }
    if (and) tests.push(this.#testOf(and))
    return (row) => tests.every((test) => test(row))
  }

  #labelsOf(document: DocumentVersion): ReadonlySet<string> {
    const labels = this.#labels.get(document) ?? new Set(labelsOf(document.metadata))
    this.#labels.set(document, labels)
    return labels
  }
}

const minPlaces = 256

type RowTest = (row: Row) => boolean

const rowsPerPause = 64

const maxTimes = 255
const postingOf = (place: number): number => (place << 8) + 1
const placeOf = (posting: number): number => posting >>> 8
const timesOf = (posting: number): number => posting & maxTimes

type PlaceHit = { place: number; score: number }

function bestOf(hits: PlaceHit[], limit: number): PlaceHit[] {
  const least = Float64Array.from(hits, ({ score }) => -score).toSorted()[limit - 1] ?? 0
  return hits
    .filter(({ score }) => score >= -least)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
}

function foundIn(row: Row): Found {
  const { position } = row
  const { id: datasourceId, name, source, updatedAt, fragments } = row.document
  const { offset, text, vector } = fragments[position]!
  const place = { datasourceId, position, fragmentCount: fragments.length, offset }
  return (row.found ??= { ...place, text, name, source, updatedAt, vector: normalized(vector) })
}
