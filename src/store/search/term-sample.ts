import type { OpenTable } from '../table/open-table.ts'
import { readUtf8 } from '../lance/read-rows.ts'
import { hashesOfTokens, hashOfToken } from '../../text/token-hash.ts'
import { TimeSlice } from '../../scheduling/time-slice.ts'

const maxSampled = 2_048
const maxShareChanged = 1 / 5
const maxAgeOfSharedMilliseconds = 60_000

export type TermStatistics = {
  fragments: number
  /** Estimated; 0 when no sampled fragment holds the token. */
  documentFrequency(token: string): number
}

type Sample = TermStatistics & { readAt: number; changedRows: number }

/** Estimates document frequencies from a sample of rows, because LanceDB gives none out. */
export class TermSample {
  readonly #table: OpenTable
  #sample: Promise<Sample> | undefined

  constructor(table: OpenTable) {
    this.#table = table
  }

  async statistics(): Promise<TermStatistics> {
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
  const counts = await countHolders(words)
  const scale = fragments / Math.max(1, words.length)
  return {
    fragments,
    documentFrequency: (token) => (counts.get(hashOfToken(token)) ?? 0) * scale,
    readAt,
    changedRows,
  }
}

function spread(rows: number): number[] {
  const sampled = Math.min(rows, maxSampled)
  return Array.from({ length: sampled }, (_, index) => Math.floor((index * rows) / sampled))
}

async function countHolders(rows: Uint8Array[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  const slice = new TimeSlice()
  for (const words of rows) {
    for (const hash of new Set(hashesOfTokens(words))) {
      counts.set(hash, (counts.get(hash) ?? 0) + 1)
    }
    await slice.pause()
  }
  return counts
}
