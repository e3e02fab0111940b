import { TimeSlice } from '../../process/time-slice.ts'
import { fmix32, hashesOf, hashesOfTokens } from '../../text/tokens.ts'
import { unspaced } from '../../text/words.ts'
import { readUtf8 } from '../lance/read-rows.ts'
import type { OpenTable } from '../table/open-table.ts'

const maxSampled = 2_048
/** How many different tokens are counted. A sample of texts that people wrote has far fewer. */
const maxTokens = 4_000_000
const maxShareChanged = 1 / 5
/** Steps are small, because the parts of the counts grow at nearly the same time. */
const hashesPerStep = 1_024
const maxAgeOfSharedMilliseconds = 60_000

export type TermStatistics = {
  fragments: number
  /** The estimate for each token; 0 if no sampled fragment holds it. */
  documentFrequencies(tokens: readonly string[]): number[]
}

export type SampledTerms = TermStatistics & {
  tokensPerFragment: number
  /** Terms that were drawn together, each from another fragment, and of another document if there are enough. */
  draws: readonly (readonly string[])[]
}

type Sample = SampledTerms & { readAt: number; changedRows: number }

/** Estimates document frequencies from a sample of rows, because LanceDB has no call for them. */
export class TermSample {
  readonly #table: OpenTable
  #sample: Promise<Sample> | undefined

  constructor(table: OpenTable) {
    this.#table = table
  }

  async statistics(): Promise<SampledTerms> {
    const known = this.#sample
    if (known && !this.#isOutdated(await known)) return known
    if (this.#sample === known) {
      this.#sample = readSample(this.#table)
      this.#sample.catch(() => (this.#sample = undefined))
    }
    return this.#sample!
  }

  #isOutdated({ fragments, changedRows, readAt }: Sample): boolean {
    const mayLack = fragments === 0 || performance.now() - readAt > maxAgeOfSharedMilliseconds
    const isOld = this.#table.volume.isShared && mayLack
    return isOld || this.#table.changedRows - changedRows > fragments * maxShareChanged
  }
}

async function readSample(table: OpenTable): Promise<Sample> {
  const { changedRows } = table
  const readAt = performance.now()
  const { fragments, words, documents } = await table.read(async (lance) => {
    const rows = await lance.countRows()
    const sampled = lance.takeOffsets(spread(rows)).select(['words', 'datasource_id'])
    const found = await sampled.toArrow()
    const ids = readUtf8(found, 'datasource_id').map((id) => utf8.decode(id))
    return { fragments: rows, words: readUtf8(found, 'words'), documents: ids }
  })
  const { counts, counted, tokens } = await countFrequencies(words)
  const scale = fragments / Math.max(1, counted)
  return {
    fragments,
    tokensPerFragment: tokens / Math.max(1, counted),
    documentFrequencies: (asked) => hashesOf(asked).map((hash) => counts.get(hash) * scale),
    draws: await drawTerms(words, documents),
    readAt,
    changedRows,
  }
}

function spread(rows: number): number[] {
  const sampled = Math.min(rows, maxSampled)
  return Array.from({ length: sampled }, (_, index) => Math.floor((index * rows) / sampled))
}

type Frequencies = { counts: HashCounts; counted: number; tokens: number }

async function countFrequencies(rows: Uint8Array[]): Promise<Frequencies> {
  const counts = new HashCounts()
  const slice = new TimeSlice()
  let tokens = 0
  for (const [index, words] of rows.entries()) {
    // Texts whose words are all different would need any amount of memory.
    if (counts.size > maxTokens) return { counts, counted: index, tokens }
    const all = hashesOfTokens(words)
    tokens += all.length
    const hashes = [...new Set(all)]
    for (let start = 0; start < hashes.length; start += hashesPerStep) {
      await slice.pause()
      for (const hash of hashes.slice(start, start + hashesPerStep)) counts.add(hash)
    }
  }
  return { counts, counted: rows.length, tokens }
}

const draws = 24
const termsOfDraw = 4

/** A word of three letters or more, or a pair of letters of a script without spaces. */
const drawable = new RegExp(`^(?:[${unspaced}]{2}|[\\p{L}--[${unspaced}]]{3,40})$`, 'v')

const utf8 = new TextDecoder()

/**
 * Draws unrelated terms: those of one draw come from fragments far apart, and of different documents, because
 * the lines of a log are alike. The same rows give the same draws; fewer rows than terms give none.
 */
async function drawTerms(
  rows: readonly Uint8Array[],
  documents: readonly string[],
): Promise<string[][]> {
  const step = Math.floor(rows.length / termsOfDraw)
  if (step === 0) return []
  const slice = new TimeSlice()
  const drawn: string[][] = []
  for (let draw = 0; draw < draws; draw++) {
    const terms: string[] = []
    const taken = new Set<string>()
    for (let place = 0; place < termsOfDraw; place++) {
      const seed = draw * termsOfDraw + place + 1
      const row = otherRow(documents, (chanceOf(draw + 1) + place * step) % rows.length, taken)
      taken.add(documents[row]!)
      terms.push(...termOf(rows[row]!, seed))
      await slice.pause()
    }
    drawn.push(terms)
  }
  return drawn
}

/** The next row of a document that is not taken; `start` if there is none. */
function otherRow(documents: readonly string[], start: number, taken: ReadonlySet<string>): number {
  const rows = documents.length
  for (let row = start; row < start + rows; row++) {
    if (!taken.has(documents[row % rows]!)) return row % rows
  }
  return start
}

function termOf(row: Uint8Array, seed: number): string[] {
  const terms = utf8
    .decode(row)
    .split(' ')
    .filter((token) => drawable.test(token))
  const at = chanceOf(seed) % terms.length
  return terms.slice(at, at + 1)
}

const chanceOf = (seed: number): number => fmix32(seed) >>> 0

const partCount = 256

/** Counts each hash in several maps, because a large map takes a long turn to grow. */
class HashCounts {
  readonly #parts = Array.from({ length: partCount }, () => new Map<number, number>())
  #size = 0

  get size(): number {
    return this.#size
  }

  get(hash: number): number {
    return this.#partOf(hash).get(hash) ?? 0
  }

  add(hash: number): void {
    const part = this.#partOf(hash)
    const count = part.get(hash) ?? 0
    if (count === 0) this.#size += 1
    part.set(hash, count + 1)
  }

  #partOf(hash: number): Map<number, number> {
    return this.#parts[hash & (partCount - 1)]!
  }
}

/** The parameters of BM25 by which LanceDB scores. */
const [k1, b] = [1.2, 0.75]

/** The inverse document frequencies of tokens with these document frequencies, as LanceDB computes them. */
export const idfsOf = (documentFrequencies: number[], fragments: number): number[] =>
  documentFrequencies.map((holders) =>
    Math.log(1 + (Math.max(0, fragments - holders) + 0.5) / (holders + 0.5)),
  )

/** The most that tokens of these idfs, all together, add to a score. */
export const maxScore = (sumOfIdfs: number): number => (k1 + 1) * sumOfIdfs

/** What a token adds to the score of a fragment that holds it `times`; 1 is the average length. */
export const bm25 = (tokenIdf: number, times: number, relativeLength: number): number =>
  (tokenIdf * times * (k1 + 1)) / (times + k1 * (1 - b + b * relativeLength))
