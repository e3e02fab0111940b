import type { AgentsDatastores, Datasource } from '../../../client/src/index.ts'

/** A passage: UTF-16 offsets into a text, and the text that was there. */
type Marked = { start: number; end: number; page?: number; text?: string }

/** A document that is shown, with what is marked in it. */
export type OpenDocument = {
  datastoreId: string
  datasourceId: string
  marked?: Marked
  /** Whether the user asked to see it, so that it gets the focus. */
  takesFocus?: boolean
  /** Whether lines show where fragments begin. */
  showsFragments?: boolean
}

/** Finds a passage in a text that may have changed since. Undefined if it is gone. */
export function placeOf(text: string, marked: Marked | undefined): Marked | undefined {
  if (!marked) return undefined
  const { start, end, text: quoted = text.slice(start, end) } = marked
  if (text.slice(start, end) === quoted) return marked
  const at = text.indexOf(quoted)
  return at < 0 ? undefined : { ...marked, start: at, end: at + quoted.length }
}

/** `page` is 0 where no page begins. */
export type Block = { start: number; end: number; page: number }

/** Other documents are cut at lines, because a browser lays out only the visible blocks. */
const plainLength = 4_000

/** Cuts a text where its pages and fragments begin. */
export function blocksOf(text: string, fragmentStarts: number[], pageStarts: number[]): Block[] {
  const cuts = fragmentStarts.length > 0 ? fragmentStarts : plainCuts(text)
  const starts = [...new Set([0, ...cuts, ...pageStarts])]
    .filter((start) => start < text.length)
    .toSorted((a, b) => a - b)
  return starts.map((start, index) => ({
    start,
    end: starts[index + 1] ?? text.length,
    page: pageStarts.indexOf(start) + 1,
  }))
}

function plainCuts(text: string): number[] {
  const cuts: number[] = []
  for (let at = 0; at >= 0;) {
    const line = text.indexOf('\n', at + plainLength)
    at = line < 0 ? -1 : line + 1
    if (at > 0) cuts.push(at)
  }
  return cuts
}

const maxFragments = 100

/** Where the fragments of a document begin. A search by vector finds them all, but no more than `topK`. */
export async function startsOfFragments(
  client: AgentsDatastores,
  datastoreId: string,
  { id, name, fragmentCount }: Datasource,
): Promise<number[]> {
  if (fragmentCount < 2 || fragmentCount > maxFragments) return []
  const fragments = await client.queryDatastore(datastoreId, {
    query: name || 'text',
    mode: 'vector',
    topK: maxFragments,
    filters: { datasource_ids: [id] },
    include: ['span'],
  })
  return fragments.flatMap(({ span }) => span?.start ?? [])
}
