import type { Datasource } from '../../generated/types.gen.ts'
import type { Datastore } from '../domain/datastores.ts'
import { DocumentsUnreadable, NotFound, orUndefined } from '../errors/errors.ts'
import { cite } from './citation.ts'
import { partOf } from './text-parts.ts'
import { named, type Tool, type ToolContext } from './tool.ts'
import { invalidArgument, renamePointers, allowOnly, requireText } from './arguments.ts'

export const fetchTool: Tool = {
  operationId: 'getDatasource',
  isForOneDatastore: true,
  isReadOnly: true,
  run: async (args, context) => {
    allowOnly(args, 'id', 'datastore', 'part')
    const id = requireText(args, 'id')
    // A `path`, a `url` or a key looks like a name to an assistant, which would try it again.
    if (!id.startsWith('src_'))
      throw invalidArgument('id', 'must be the `id` of a result, as src_…')
    const { document, datastore } = await documentOf(id, args.datastore, context)
    const { text, part, parts } = partOf(document.text, args.part)
    const { title, url, path } = cite({ ...document, datastore: named(datastore) }, context.base)
    return {
      id,
      title,
      text,
      ...(parts > 1 && { part, parts }),
      url,
      path,
      datastore: named(datastore),
      metadata: document.metadata ?? {},
    }
  },
}

const renameId = renamePointers({ '/path/datasourceId': '/id' })

type Read = { document: Datasource; datastore: Datastore }

/** A document, in whichever datastore it is. @throws NotFound, DocumentsUnreadable */
async function documentOf(
  datasourceId: string,
  datastore: unknown,
  { call, by, datastores }: ToolContext,
): Promise<Read> {
  const read = async (one: Datastore): Promise<Read> => {
    const path = { id: one.id, datasourceId }
    const document = await call('getDatasource', { path }, by).catch(renameId)
    return { document, datastore: one }
  }
  const all = await datastores.chosen(datastore)
  const found = await Promise.all(
    all.map((one) => read(one).catch(orUndefined(NotFound)).catch(asUnreadable)),
  )
  const document = found.find((one) => one !== undefined && 'document' in one)
  if (document) return document
  // It may be in one that cannot be read.
  throw found.find((one) => one !== undefined) ?? new NotFound('datasource', datasourceId)
}

function asUnreadable(error: unknown): DocumentsUnreadable {
  if (error instanceof DocumentsUnreadable) return error
  throw error
}
