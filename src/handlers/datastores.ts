import type { Datastore, Filters, Fragment, QueryDatastore } from '../../generated/types.gen.ts'
import type { CountedDatastore, Datastores } from '../domain/datastores.ts'
import { parseMetadata, parsePages } from '../domain/documents.ts'
import type { Ingestion } from '../domain/ingestion.ts'
import { Highlighter, matchedPage } from '../retrieval/highlights.ts'
import type { Scored } from '../retrieval/ranking.ts'
import type { Retrieval, TableHead } from '../retrieval/retrieval.ts'
import { TimeSlice } from '../process/time-slice.ts'
import type { DatasourceInfo, Found, SearchFilters } from '../store/types.ts'
import type { Handlers } from './handler.ts'
import { fromCursor, toWirePage } from './paging.ts'

export const datastoreHandlers = (
  datastores: Datastores,
  ingestion: Ingestion,
  retrieval: Retrieval,
) =>
  ({
    createDatastore: async ({ body, caller, deadline }, reply) => {
      const datastore = await datastores.create(caller.workspace, body, deadline)
      return reply(201, toWire(datastore), { Location: `/datastores/${datastore.id}` })
    },

    listDatastores: async ({ query, caller }, reply) => {
      const position = fromCursor(query.cursor, 'datastores')
      const page = await datastores.list(caller.workspace, query.limit, position)
      return reply(200, toWirePage(page, 'datastores', toWire))
    },

    getDatastore: async ({ path, caller }, reply) =>
      reply(200, toWire(await datastores.get(caller.workspace, path.id))),

    updateDatastore: async ({ path, body, caller, deadline }, reply) =>
      reply(200, toWire(await datastores.update(caller.workspace, path.id, body, deadline))),

    deleteDatastore: async ({ path, caller, deadline }, reply) =>
      reply(200, toWire(await datastores.remove(caller.workspace, path.id, deadline))),

    upsertDocuments: async ({ path, headers, body, caller, deadline }, reply) => {
      const datastore = await datastores.require(caller.workspace, path.datastoreId)
      const idempotencyKey = headers['idempotency-key']
      const ids = await ingestion.upsert(datastore, body.documents, deadline, idempotencyKey)
      return reply(200, { ids })
    },

    updateDatasource: async ({ path, body, caller, deadline }, reply) => {
      const datastore = await datastores.require(caller.workspace, path.datastoreId)
      await ingestion.update(datastore, body.id, body, deadline)
      return reply(200, { id: body.id })
    },

    queryDatastore: async ({ path, body, caller, deadline }, reply) => {
      const datastore = await datastores.require(caller.workspace, path.id)
      const question = { ...body, filters: toSearch(body.filters ?? {}) }
      const { scored, infos } = needsInfos(body)
        ? await retrieval.queryWithInfos(datastore, question, deadline)
        : { scored: await retrieval.query(datastore, question, deadline), infos: new Map() }
      const found = scored.map((one) => one.found)
      const tableHeadOf = needsTables(body) ? await retrieval.tableHeads(datastore.id, found) : none
      return reply(200, await toFragments(scored, body, { infos, tableHeadOf }))
    },
  }) satisfies Partial<Handlers>

const toWire = (datastore: CountedDatastore): Datastore => {
  const { id, value, datasourceCount, fragmentCount, createdAt } = datastore
  const { name, description = '', embeddingModel, dimensions, fragmentLength } = value
  const made = { id, name, description, embeddingModel, dimensions, fragmentLength }
  return { ...made, datasourceCount, fragmentCount, createdAt }
}

export const toSearch = ({ custom_ids, datasource_ids, metadata }: Filters): SearchFilters => ({
  ...(custom_ids && { customIds: custom_ids }),
  ...(datasource_ids && { datasourceIds: datasource_ids }),
  ...(metadata && { metadata }),
})

type Infos = ReadonlyMap<string, DatasourceInfo>

type Shown = Pick<QueryDatastore, 'query' | 'include'>

const needsInfos = ({ include = [] }: Shown): boolean =>
  include.some((detail) => detail === 'metadata' || detail === 'span')

const needsTables = ({ include = [] }: Shown): boolean => include.includes('head')

type Around = { infos: Infos; tableHeadOf: (found: Found) => TableHead | undefined }

async function toFragments(
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
        metadata: parseMetadata(infos.get(one.found.datasourceId)?.metadata ?? null),
      }),
      ...(shown.has('span') && { span: spanOf(one, infos, highlighter) }),
      ...(shown.has('head') && headOf(tableHeadOf(one.found))),
      ...(shown.has('highlights') && { highlights: highlighter().spansIn(one.found.text) }),
    })
    // Finding words of a hundred fragments takes long.
    if (shown.size > 0) await slice.pause()
  }
  return fragments
}

const none = (): undefined => undefined

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
