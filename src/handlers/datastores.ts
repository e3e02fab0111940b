import type { Datastore, Filters, Fragment } from '../../generated/types.gen.ts'
import type { CountedDatastore, Datastores } from '../domain/datastores.ts'
import type { Ingestion } from '../domain/ingestion.ts'
import type { Retrieval } from '../domain/retrieval.ts'
import type { Hit, SearchFilters } from '../store/hits.ts'
import type { Handlers } from './handler.ts'
import { fromCursor, toWirePage } from './paging.ts'

type DatastoreHandlers = Pick<
  Handlers,
  | 'createDatastore'
  | 'listDatastores'
  | 'getDatastore'
  | 'deleteDatastore'
  | 'upsertDocuments'
  | 'updateDatasource'
  | 'queryDatastore'
>

export const datastoreHandlers = (
  datastores: Datastores,
  ingestion: Ingestion,
  retrieval: Retrieval,
): DatastoreHandlers => ({
  createDatastore: async ({ body }, reply, { workspace }) => {
    const datastore = await datastores.create(workspace, body.name)
    return reply(201, toWire(datastore), { Location: `/datastores/${datastore.id}` })
  },

  listDatastores: async ({ query }, reply, { workspace }) => {
    const page = await datastores.list(workspace, query.limit, fromCursor(query.cursor))
    return reply(200, toWirePage(page, toWire))
  },

  getDatastore: async ({ path }, reply, { workspace }) =>
    reply(200, toWire(await datastores.get(workspace, path.id))),

  deleteDatastore: async ({ path }, reply, { workspace }) =>
    reply(200, toWire(await datastores.remove(workspace, path.id))),

  upsertDocuments: async ({ path, body }, reply, { workspace }) =>
    reply(200, { ids: await ingestion.upsert(workspace, path.datastoreId, body.documents) }),

  updateDatasource: async ({ path, body }, reply, { workspace }) => {
    await ingestion.update(workspace, path.datastoreId, body.id, body)
    return reply(200, { id: body.id })
  },

  queryDatastore: async ({ path, body }, reply, { workspace }) => {
    const { query, topK, filters = {} } = body
    const hits = await retrieval.query(workspace, path.id, query, topK, toSearch(filters))
    return reply(200, hits.map(toFragment))
  },
})

const toWire = ({
  id,
  value,
  datasourceCount,
  fragmentCount,
  createdAt,
}: CountedDatastore): Datastore => ({ id, ...value, datasourceCount, fragmentCount, createdAt })

const toSearch = ({ custom_ids, datasource_ids }: Filters): SearchFilters => ({
  ...(custom_ids && { customIds: custom_ids }),
  ...(datasource_ids && { datasourceIds: datasource_ids }),
})

const toFragment = ({ text, score, source, datasourceId, name }: Hit): Fragment => ({
  text,
  score,
  source,
  datasource_id: datasourceId,
  datasource_name: name,
})
