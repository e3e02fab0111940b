import type { Datastore, Filters } from '../../generated/types.gen.ts'
import type { CountedDatastore, Datastores } from '../domain/datastores.ts'
import type { Ingestion } from '../domain/ingestion.ts'
import type { Retrieval } from '../retrieval/retrieval.ts'
import type { SearchFilters } from '../store/types.ts'
import type { Handlers } from './handler.ts'
import { needsInfos, needsTables, toFragments } from './fragments.ts'
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
      const found = needsTables(body) ? scored.map((one) => one.found) : []
      const tableHeadOf = await retrieval.tableHeads(datastore.id, found)
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
