import type { Tool } from './tool.ts'
import { shortened } from './text-parts.ts'
import { renameCursor, allowOnly } from './arguments.ts'

const limit = 50
/** Keeps a page of an assistant small. */
const maxDescription = 200

export const listDatastoresTool: Tool = {
  operationId: 'listDatastores',
  isForOneDatastore: false,
  isReadOnly: true,
  run: async (args, { call, by }) => {
    allowOnly(args, 'cursor')
    const input = { query: { ...args, limit } }
    const { data, nextCursor } = await call('listDatastores', input, by).catch(renameCursor)
    const datastores = data.map(({ id, name, description: whole, datasourceCount: documents }) => {
      const description = shortened(whole, maxDescription)
      return description === '' ? { id, name, documents } : { id, name, description, documents }
    })
    return { datastores, ...(nextCursor !== null && { nextCursor }) }
  },
}
