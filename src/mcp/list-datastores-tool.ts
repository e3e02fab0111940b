import { refuseOthers, type Tool } from './tool.ts'

const limit = 50

export const listDatastoresTool: Tool = {
  operationId: 'listDatastores',
  isOfDatastores: false,
  isReadOnly: true,
  run: async (args, { call, by }) => {
    refuseOthers(args, 'cursor')
    const { data, nextCursor } = await call('listDatastores', { query: { ...args, limit } }, by)
    const datastores = data.map(({ id, name, datasourceCount }) => {
      return { id, name, documents: datasourceCount }
    })
    return { datastores, ...(nextCursor !== null && { nextCursor }) }
  },
}
