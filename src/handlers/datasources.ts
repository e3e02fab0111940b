import type { DatasourceSummary } from '../../generated/types.gen.ts'
import type { Datasource, Datasources } from '../domain/datasources.ts'
import type { Datastores } from '../domain/datastores.ts'
import type { DocumentHead } from '../store/fragments/rows.ts'
import type { Handlers } from './handler.ts'
import { fromCursor, toWirePage } from './paging.ts'

export const datasourceHandlers = (datastores: Datastores, datasources: Datasources) =>
  ({
    listDatasources: async ({ path, query, caller }, reply) => {
      const datastore = await datastores.require(caller.workspace, path.id)
      const { limit, cursor, source } = query
      const page = await datasources.list(datastore, limit, fromCursor(cursor), source)
      return reply(200, toWirePage(page, toSummary))
    },

    getDatasource: async ({ path, caller }, reply) => {
      const datastore = await datastores.require(caller.workspace, path.id)
      return reply(200, toWire(await datasources.get(datastore, path.datasourceId)))
    },

    deleteDatasource: async ({ path, caller, deadline }, reply) => {
      const datastore = await datastores.require(caller.workspace, path.id)
      return reply(200, toWire(await datasources.remove(datastore, path.datasourceId, deadline)))
    },
  }) satisfies Partial<Handlers>

export const toWire = (datasource: Datasource) => ({
  ...toSummary(datasource),
  text: datasource.text,
})

export const toSummary = (head: DocumentHead): DatasourceSummary => ({
  id: head.id,
  key: head.key,
  name: head.name,
  metadata: toMetadata(head.metadata),
  source: head.source,
  fragmentCount: head.fragmentCount,
  createdAt: head.createdAt,
  updatedAt: head.updatedAt,
})

export const toMetadata = (json: string | null): DatasourceSummary['metadata'] =>
  json === null ? null : JSON.parse(json)
