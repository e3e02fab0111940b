import type { QueryMode } from '../../generated/types.gen.ts'
import type { Datastore } from '../domain/datastores.ts'
import { isEmbeddedBy } from '../domain/embedding.ts'
import type { Embedder } from '../embeddings/embedder.ts'
import type { SearchFilters } from '../store/types.ts'

/** What to look for; `minScore` is of the mode's own range, `distinct` leaves out copies. */
export type Question = {
  query: string
  topK: number
  filters: SearchFilters
  mode: QueryMode
  distinct: boolean
  perDatasource?: number | undefined
  minScore?: number | undefined
}

export const asksModel = ({ isModel }: Embedder, mode: QueryMode): boolean =>
  isModel && mode !== 'keyword'

/** A datastore of another embedder is searched by keyword alone. */
export const questionFor = <Asked extends { mode: QueryMode }>(
  { value }: Datastore,
  question: Asked,
  embedder: Embedder,
): Asked => (isEmbeddedBy(value, embedder) ? question : { ...question, mode: 'keyword' })
