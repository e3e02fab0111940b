import { cite } from './citation.ts'
import { named, type Tool } from './tool.ts'
import { renameCursor, allowOnly } from './arguments.ts'

const limit = 50

export const listDocumentsTool: Tool = {
  operationId: 'listDatasources',
  isForOneDatastore: true,
  isReadOnly: true,
  run: async (args, { call, by, base, datastores }) => {
    allowOnly(args, 'datastore', 'cursor')
    const { datastore: chosen, ...rest } = args
    const datastore = await datastores.one(chosen)
    const input = { path: { id: datastore.id }, query: { ...rest, limit } }
    const { data, nextCursor } = await call('listDatasources', input, by).catch(renameCursor)
    const documents = data.map((document) => {
      const { id, name, source, metadata, updatedAt } = document
      const of = { id, name, source, metadata, datastore: named(datastore) }
      const { title, path } = cite(of, base)
      return { id, title, path: path === title ? undefined : path, updatedAt }
    })
    return {
      datastore: named(datastore),
      documents,
      ...(nextCursor !== null && { nextCursor }),
    }
  },
}
