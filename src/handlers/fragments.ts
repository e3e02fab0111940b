import type { Fragment, QueryDatastore } from '../../generated/types.gen.ts'
import { Highlighter } from '../retrieval/highlights.ts'
import type { Scored } from '../retrieval/ranking.ts'
import { toMetadata } from './datasources.ts'

/** The metadata of datasources as JSON, by their ids. */
export type MetadataById = ReadonlyMap<string, string | null>

type Shown = Pick<QueryDatastore, 'query' | 'include'>

/** What was found, with what the query asks to see beside it. */
export function toFragments(
  scored: Scored[],
  { query, include = [] }: Shown,
  metadata: MetadataById,
): Fragment[] {
  const shown = new Set(include)
  const highlighter = shown.has('highlights') ? new Highlighter(query) : undefined
  return scored.map((one) => ({
    ...toFragment(one),
    ...(shown.has('metadata') && {
      metadata: toMetadata(metadata.get(one.found.datasourceId) ?? null),
    }),
    ...(shown.has('span') && { span: spanOf(one) }),
    ...(highlighter && { highlights: highlighter.spansIn(one.found.text) }),
  }))
}

const spanOf = ({ found: { offset, text } }: Scored) => ({
  start: offset,
  end: offset + text.length,
})

const toFragment = ({ found, score }: Scored): Fragment => ({
  text: found.text,
  score,
  source: found.source,
  datasource_id: found.datasourceId,
  datasource_name: found.name,
})
