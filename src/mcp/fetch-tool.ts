import { NotFound, orUndefined } from '../errors/errors.ts'
import { titleOf, urlOf } from './citation.ts'
import { requireText, type Tool } from './tool.ts'

export const fetchTool: Tool = {
  operationId: 'getDatasource',
  isOfDatastores: true,
  isReadOnly: true,
  run: async (args, { call, by, base, datastores }) => {
    const datasourceId = requireText(args, 'id')
    const read = async ({ id }: { id: string }) => ({
      ...(await call('getDatasource', { path: { id, datasourceId } }, by)),
      datastoreId: id,
    })
    const found = await Promise.all(
      (await datastores()).map((one) => read(one).catch(orUndefined(NotFound))),
    )
    const document = found.find((one) => one !== undefined)
    if (!document) throw new NotFound('datasource', datasourceId)
    const { id, text, metadata } = document
    return {
      id,
      title: titleOf(document),
      text,
      url: urlOf(document, base),
      metadata: metadata ?? {},
    }
  },
}
