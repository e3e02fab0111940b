import { and, equal, isSet, oneOf } from '../lance/filter.ts'
import { readRows } from '../lance/read-rows.ts'
import type { OpenTable } from '../table/open-table.ts'

/** A `Set` takes no more. Beyond that, every batch is looked up. */
const maxKnown = 2 ** 24 - 1

/** The digests of upserts with an idempotency key, by their batch. */
export class BatchDigests {
  readonly #table: OpenTable
  /** The last 32 bits of every batch, because looking one up reads all rows. */
  #known: Set<number> | undefined

  constructor(table: OpenTable) {
    this.#table = table
  }

  /** Finds the batches that are stored. The caller is about to add the others. */
  async find(batches: string[]): Promise<Map<string, string>> {
    const possible = await this.#possible(batches)
    if (possible.length === 0) return new Map()
    const rows = await this.#table.readAll<{ batch: string; digest: string }>((query) =>
      query.where(oneOf('batch', possible)).select(['batch', 'digest']),
    )
    return new Map(rows.map(({ batch, digest }) => [batch, digest]))
  }

  async #possible(batches: string[]): Promise<string[]> {
    if (this.#table.volume.isShared || batches.length === 0) return batches
    const known = (this.#known ??= await this.#read())
    const possible = batches.filter((batch) => known.size === maxKnown || known.has(endOf(batch)))
    for (const batch of batches) remember(known, batch)
    return possible
  }

  async #read(): Promise<Set<number>> {
    const known = new Set<number>()
    const isKeyed = and(equal('position', 0), isSet('digest'))
    await this.#table.read(async (table) => {
      for await (const rows of table.query().where(isKeyed).select(['batch'])) {
        for (const { batch } of readRows<{ batch: string }>(rows)) remember(known, batch)
      }
    })
    return known
  }
}

function remember(known: Set<number>, batch: string): void {
  if (known.size < maxKnown) known.add(endOf(batch))
}

const endOf = (batch: string): number => Number.parseInt(batch.slice(-8), 16) | 0
