import type { OpenTable } from '../table/open-table.ts'
import { readUtf8 } from '../lance/read-rows.ts'
import { hashesOfTokens, hashOfToken } from '../../text/token-hash.ts'
import { drawTerms } from './drawn-terms.ts'
import { HashCounts } from './hash-counts.ts'
import { TimeSlice } from '../../scheduling/time-slice.ts'

const maxSampled = 2_048
/** Different ones, far more than texts that people wrote have in a sample. */
const maxTokens = 4_000_000
const maxShareChanged = 1 / 5
/** The parts of the counts grow at nearly the same time. */
const hashesPerStep = 1_024
const maxAgeOfSharedMilliseconds = 60_000

export type TermStatistics = {
  fragments: number
  /** Estimated; 0 when no sampled fragment holds the token. */
  documentFrequency(token: string): number
}

export type SampledTerms = TermStatistics & {
  /** Terms that were drawn together, each of another fragment. */
  draws: readonly (readonly string[])[]
}

type Sample = SampledTerms & { readAt: number; changedRows: number }

/** Estimates document frequencies from a sample of rows, because LanceDB gives none out. */
export class TermSample {
  readonly #table: OpenTable
  #sample: Promise<Sample> | undefined

  constructor(table: OpenTable) {
    this.#table = table
  }

  async statistics(): Promise<SampledTerms> {
    const known = this.#sample
    if (known && !this.#isOutdated(await known)) return known
    // All who waited for the old sample share the new one.
    if (this.#sample === known) {
      this.#sample = readSample(this.#table)
      this.#sample.catch(() => (this.#sample = undefined))
    }
    return this.#sample!
  }

  #isOutdated({ fragments, changedRows, readAt }: Sample): boolean {
    const isOld = this.#table.isShared && performance.now() - readAt > maxAgeOfSharedMilliseconds
    return isOld || this.#table.changedRows - changedRows > fragments * maxShareChanged
  }
}

async function readSample(table: OpenTable): Promise<Sample> {
  const { changedRows } = table
  const readAt = performance.now()
  const { fragments, words } = await table.read(async (lance) => {
    const rows = await lance.countRows()
    const sampled = lance.takeOffsets(spread(rows)).select(['words'])
    return { fragments: rows, words: readUtf8(await sampled.toArrow(), 'words') }
  })
  const { counts, counted } = await countHolders(words)
  const scale = fragments / Math.max(1, counted)
  return {
    fragments,
    documentFrequency: (token) => counts.get(hashOfToken(token)) * scale,
    draws: drawTerms(words),
    readAt,
    changedRows,
  }
}

function spread(rows: number): number[] {
  const sampled = Math.min(rows, maxSampled)
  return Array.from({ length: sampled }, (_, index) => Math.floor((index * rows) / sampled))
}

type Holders = { counts: HashCounts; counted: number }

async function countHolders(rows: Uint8Array[]): Promise<Holders> {
  const counts = new HashCounts()
  const slice = new TimeSlice()
  for (const [index, words] of rows.entries()) {
    // Texts whose words are all different would take any amount of memory.
    if (counts.size > maxTokens) return { counts, counted: index }
    const hashes = [...new Set(hashesOfTokens(words))]
    for (let start = 0; start < hashes.length; start += hashesPerStep) {
      await slice.pause()
      for (const hash of hashes.slice(start, start + hashesPerStep)) counts.add(hash)
    }
  }
  return { counts, counted: rows.length }
}
