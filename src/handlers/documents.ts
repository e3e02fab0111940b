import type { PutOutcome } from '../../generated/types.gen.ts'
import type { Datastore, Datastores } from '../domain/datastores.ts'
import type { KeyedDocuments } from '../domain/keyed-documents.ts'
import { revisionOf } from '../domain/precondition.ts'
import type { DatasourceInfo, Put } from '../store/types.ts'
import { toSummary, toWire } from './datasources.ts'
import type { Handlers } from './handler.ts'
import { etagOf, preconditionOf } from './preconditions.ts'

export const documentHandlers = (datastores: Datastores, documents: KeyedDocuments) =>
  ({
    putDocument: async ({ path, headers, body, caller, deadline }, reply) => {
      const datastore = await datastores.require(caller.workspace, path.id)
      const precondition = preconditionOf(headers)
      const document = { ...body, key: path.key }
      const put = await documents.put(datastore, document, precondition, deadline)
      const Location = locationOf(datastore, path.key)
      return reply(put.isNew ? 201 : 200, toSummary(put.info), { ...tagOf(put.info), Location })
    },

    putDocuments: async ({ path, body, caller, deadline }, reply) => {
      const datastore = await datastores.require(caller.workspace, path.id)
      const puts = await documents.putAll(datastore, body.documents, deadline)
      return reply(200, { documents: puts.map(toResult) })
    },

    getDocument: async ({ path, caller }, reply) => {
      const datastore = await datastores.require(caller.workspace, path.id)
      const datasource = await documents.get(datastore, path.key)
      return reply(200, toWire(datasource), tagOf(datasource))
    },

    deleteDocument: async ({ path, headers, caller, deadline }, reply) => {
      const datastore = await datastores.require(caller.workspace, path.id)
      const precondition = preconditionOf(headers)
      const gone = await documents.remove(datastore, path.key, precondition, deadline)
      return reply(200, toWire(gone), tagOf(gone))
    },
  }) satisfies Partial<Handlers>

const toResult = ({ info: { id, key }, isNew }: Put): PutOutcome => ({
  key: key!,
  id,
  outcome: isNew ? 'created' : 'replaced',
})

export const locationOf = ({ id }: Datastore, key: string): string =>
  `/datastores/${id}/documents/${encodeURIComponent(key)}`

export const tagOf = (info: DatasourceInfo) => etagOf({ rev: revisionOf(info) })
