import type { DatasourceSummary, MetadataFilter } from '../../generated/types.gen.ts'
import type { Datasource, Datasources } from '../domain/datasources.ts'
import type { DatasourcePatches } from '../domain/datasource-patches.ts'
import { type NewDocument, parseMetadata, parsePages } from '../domain/documents.ts'
import type { Datastores } from '../domain/datastores.ts'
import type { DatasourceInfo } from '../store/types.ts'
import { emptyPages } from '../text/pages.ts'
import type { Handlers } from './handler.ts'
import { fromCursor, nameOfList, toWirePage } from './paging.ts'

export const datasourceHandlers = (
  datastores: Datastores,
  datasources: Datasources,
  patches: DatasourcePatches,
) =>
  ({
    listDatasources: async ({ path, query, caller }, reply) => {
      const { limit, cursor: sent, ...filters } = query
      const list = nameOfList(`${path.id}/datasources`, filters)
      const cursor = fromCursor(sent, list)
      const datastore = await datastores.require(caller.workspace, path.id)
      const wanted = { source: query.source, metadata: toFilter(query.filter) }
      const page = await datasources.list(datastore, limit, cursor, wanted)
      return reply(200, toWirePage(page, list, toSummary))
    },

    getDatasource: async ({ path, caller }, reply) => {
      const datastore = await datastores.require(caller.workspace, path.id)
      return reply(200, toWire(await datasources.get(datastore, path.datasourceId)))
    },

    deleteDatasources: async ({ path, query, caller, deadline }, reply) => {
      const datastore = await datastores.require(caller.workspace, path.id)
      const deleted = await datasources.removeAll(datastore, toFilter(query.filter)!, deadline)
      return reply(200, { deleted })
    },

    patchDatasource: async ({ path, body, caller, deadline }, reply) => {
      const datastore = await datastores.require(caller.workspace, path.id)
      const info = await patches.patch(datastore, path.datasourceId, body, deadline)
      return reply(200, toSummary(info))
    },

    deleteDatasource: async ({ path, caller, deadline }, reply) => {
      const datastore = await datastores.require(caller.workspace, path.id)
      return reply(200, toWire(await datasources.remove(datastore, path.datasourceId, deadline)))
    },
  }) satisfies Partial<Handlers>

/** The contract declares a filter as text. Validation has parsed it. */
const toFilter = (filter: string | undefined): MetadataFilter | undefined =>
  filter as unknown as MetadataFilter | undefined

export const toWire = (datasource: Datasource) => ({
  ...toSummary(datasource),
  ...toFileInfo({ ...datasource, pages: parsePages(datasource.pages) }),
  text: datasource.text,
})

type FileInfo = Pick<DatasourceSummary, 'encoding' | 'pages' | 'pagesWithoutText'>

/** The encoding of a file, where its pages begin, and which have no text. */
export function toFileInfo({
  text,
  pages,
  encoding,
}: Pick<NewDocument, 'text' | 'pages' | 'encoding'>): FileInfo {
  const empty = pages ? emptyPages(pages, text) : []
  return {
    ...(encoding && { encoding }),
    ...(pages && { pages }),
    ...(empty.length > 0 && { pagesWithoutText: empty }),
  }
}

export const toSummary = (info: DatasourceInfo): DatasourceSummary => ({
  id: info.id,
  key: info.key,
  name: info.name,
  metadata: parseMetadata(info.metadata),
  source: info.source,
  fragmentCount: info.fragmentCount,
  createdAt: info.createdAt,
  updatedAt: info.updatedAt,
})
