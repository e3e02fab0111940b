import type { OpenTable } from './open-table.ts'

export type Stamp = () => string

/** Strictly rising times for rows, so that a page never gets another row after it was read. */
export class StampClock {
  #last = 0

  readonly next: Stamp = () => {
    this.#last = Math.max(Date.now(), this.#last + 1)
    return new Date(this.#last).toISOString()
  }

  startAfter(stamp: string): void {
    this.#last = Math.max(this.#last, Date.parse(stamp))
  }
}

/** The newest time in a column of stamps; undefined if the table is empty. */
export async function newestStamp(
  table: OpenTable,
  column: 'created_at' | 'updated_at',
): Promise<string | undefined> {
  const [row] = await table.readAll<Record<typeof column, string>>((query) =>
    query.orderBy({ columnName: column, ascending: false }).select([column]).limit(1),
  )
  return row?.[column]
}
