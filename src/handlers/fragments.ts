import type { Fragment, QueryDatastore } from '../../generated/types.gen.ts'
import { Highlighter } from '../retrieval/highlights.ts'
import type { Scored } from '../retrieval/ranking.ts'
import type { TableHead } from '../retrieval/table-heads.ts'
import { TimeSlice } from '../scheduling/time-slice.ts'
import type { DatasourceInfo, Found } from '../store/types.ts'
import { matchedPage } from '../retrieval/matched-page.ts'
import { parsePages } from '../domain/documents.ts'
import { toMetadata } from './datasources.ts'

type Infos = ReadonlyMap<string, DatasourceInfo>

type Shown = Pick<QueryDatastore, 'query' | 'include'>

/** Whether a query asks for members of datasources, beside those of fragments. */
export const needsInfos = ({ include = [] }: Shown): boolean =>
  include.some((detail) => detail === 'metadata' || detail === 'span')

/** Whether a query asks for the heads of tables that fragments go on with. */
export const needsTables = ({ include = [] }: Shown): boolean => include.includes('head')

type Around = { infos: Infos; tableHeadOf: (found: Found) => TableHead | undefined }

export async function toFragments(
  scored: Scored[],
  { query, include = [] }: Shown,
  { infos, tableHeadOf }: Around,
): Promise<Fragment[]> {
  const shown = new Set(include)
  let made: Highlighter | undefined
  const highlighter = () => (made ??= new Highlighter(query))
  const slice = new TimeSlice()
  const fragments: Fragment[] = []
  for (const one of scored) {
    fragments.push({
      ...toFragment(one),
      ...(shown.has('metadata') && {
        metadata: toMetadata(infos.get(one.found.datasourceId)?.metadata ?? null),
      }),
      ...(shown.has('span') && { span: spanOf(one, infos, highlighter) }),
      ...(shown.has('head') && headOf(tableHeadOf(one.found))),
      ...(shown.has('highlights') && { highlights: highlighter().spansIn(one.found.text) }),
    })
    // Finding words of a hundred fragments takes long.
    await slice.pause()
  }
  return fragments
}

const headOf = (head: TableHead | undefined) => head && { head: head.text }

function spanOf({ found }: Scored, infos: Infos, highlighter: () => Highlighter) {
  const { offset, text, datasourceId } = found
  const span = { start: offset, end: offset + text.length }
  const pages = parsePages(infos.get(datasourceId)?.pages ?? null)
  return pages ? { ...span, page: matchedPage(pages, found, highlighter) } : span
}

const toFragment = ({ found, score }: Scored): Fragment => ({
  text: found.text,
  score,
  source: found.source,
  datasource_id: found.datasourceId,
  datasource_name: found.name,
})
