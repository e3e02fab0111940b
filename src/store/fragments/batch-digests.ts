import { BatchSet } from './batch-set.ts'
import { and, equal, isSet, oneOf } from '../lance/filter.ts'
import type { OpenTable } from '../table/open-table.ts'
import { readRows } from '../lance/read-rows.ts'

/** The digests of the upserts that can be repeated. */
export class BatchDigests {
  readonly #table: OpenTable
  /** Read when the first one is asked for. */
  #known: BatchSet | undefined

  constructor(table: OpenTable) {
    this.#table = table
  }

  /** By batch, of those that are there. Whoever asks is about to add the others. */
  async of(batches: string[]): Promise<Map<string, string>> {
    const asked = await this.#possible(batches)
    if (asked.length === 0) return new Map()
    const rows = await this.#table.readAll<{ batch: string; digest: string }>((query) =>
      query.where(oneOf('batch', asked)).select(['batch', 'digest']),
    )
    return new Map(rows.map(({ batch, digest }) => [batch, digest]))
  }

  /** Those of the batches that the table may have. */
  async #possible(batches: string[]): Promise<string[]> {
    if (this.#table.isShared || batches.length === 0) return batches
    this.#known ??= await this.#read()
    const known = this.#known
    const possible = batches.filter((batch) => known.mayHave(batch))
    for (const batch of batches) known.add(batch)
    return possible
  }

  async #read(): Promise<BatchSet> {
    const batches = new BatchSet()
    const isKeyed = and(equal('position', 0), isSet('digest'))
    await this.#table.read(async (table) => {
      for await (const part of table.query().where(isKeyed).select(['batch'])) {
        for (const { batch } of readRows<{ batch: string }>(part)) batches.add(batch)
      }
    })
    return batches
  }
}
