import type { Found } from '../../store/types.ts'
import { TableHeads } from '../../text/splitting/table-heads.ts'
import { mayBeginWithRows } from '../../text/table-lines.ts'

/** The head of a table that goes on in a fragment, with its place in the text of the datasource. */
export type TableHead = { text: string; start: number }

const known = new WeakMap<Found, TableHead | undefined>()

/** Reads the datasource only for a fragment that begins like a row. */
export async function tableHeadOf(
  found: Found,
  textOf: (datasourceId: string) => Promise<string | undefined>,
): Promise<TableHead | undefined> {
  const { offset, text, datasourceId } = found
  if (known.has(found) || offset === 0 || !mayBeginWithRows(text)) return known.get(found)
  const whole = await textOf(datasourceId)
  // The datasource may have another text by now.
  const isSame = whole?.startsWith(text, offset)
  const span = whole && isSame ? new TableHeads(whole).at(offset) : undefined
  const head = span && { text: whole!.slice(span.start, span.end), start: span.start }
  known.set(found, head)
  return head
}
