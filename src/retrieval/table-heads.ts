import { TimeSlice } from '../process/fair-shares.ts'
import type { Found } from '../store/types.ts'
import { TableHeads } from '../text/splitting/table-heads.ts'
import { mayBeginWithRows } from '../text/table-lines.ts'

/** The head of a table that goes on in a fragment, with its place in the text of the datasource. */
export type TableHead = { text: string; start: number }

const known = new WeakMap<Found, TableHead | undefined>()

/** Reads a datasource once, and only for fragments that begin like a row. */
export async function tableHeadsOf(
  fragments: readonly Found[],
  textOf: (datasourceId: string) => Promise<string | undefined>,
): Promise<(found: Found) => TableHead | undefined> {
  const slice = new TimeSlice()
  const unknown = fragments.filter(
    (found) => !known.has(found) && found.offset > 0 && mayBeginWithRows(found.text),
  )
  for (const [id, found] of Map.groupBy(unknown, ({ datasourceId }) => datasourceId)) {
    const whole = await textOf(id)
    if (whole === undefined) continue
    const heads = new TableHeads(whole)
    for (const one of found.toSorted((a, b) => a.offset - b.offset)) {
      // The datasource may have another text by now.
      const span = whole.startsWith(one.text, one.offset) ? heads.at(one.offset) : undefined
      known.set(one, span && { text: whole.slice(span.start, span.end), start: span.start })
      await slice.pause()
    }
  }
  return (found) => known.get(found)
}
