import { type McpServer, ProtocolError, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { NotFound, type ServiceError } from '../errors/errors.ts'
import { inBrief } from './in-brief.ts'
import { cite } from './citation.ts'
import { resourcePage, type ListedDocument } from './resource-pages.ts'
import { partOf } from './text-parts.ts'
import { named, type ToolContext } from './tool.ts'

const scheme = 'agents-datastores://documents'
const mimeType = 'text/plain'

const template = {
  name: 'document',
  title: 'A document',
  uriTemplate: `${scheme}/{datastore}/{document}{?part}`,
  description:
    'The text of a document, by the ids of its datastore and its own. A long one has parts.',
  mimeType,
}

/** The documents as resources, for whoever may read datastores. */
export function serveResources(
  { server }: McpServer,
  context: ToolContext,
  tell: (thrown: unknown) => ServiceError,
): void {
  const telling = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    try {
      return await run()
    } catch (thrown) {
      if (thrown instanceof ProtocolError || context.by.deadline.signal.aborted) throw thrown
      throw new ProtocolError(invalidParams, tell(thrown).message)
    }
  }
  server.setRequestHandler('resources/list', ({ params }) =>
    telling(async () => {
      const { listed, nextCursor } = await resourcePage(params?.cursor, context)
      return { resources: listed.map(toResource), nextCursor }
    }),
  )
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [template] }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    telling(async () => ({ contents: [await contentOf(uri, context)] })),
  )
}

const invalidParams = -32_602
const maxName = 200

function toResource({ document, datastore }: ListedDocument) {
  const { id, name, source, metadata } = document
  const { title } = cite({ id, name, source, metadata, datastore: named(datastore) }, '')
  return {
    uri: `${scheme}/${datastore.id}/${id}`,
    name: inBrief(title, maxName),
    description: `In ${inBrief(datastore.value.name, maxName)}`,
    mimeType,
  }
}

/** Ids are no longer than their operations take. */
const address =
  /^agents-datastores:\/\/documents\/(?<id>\w{1,128})\/(?<datasourceId>\w{1,128})(?:\?part=(?<part>\d{1,6}))?$/

/** One part of a document, with a last line that says where the next one is. */
async function contentOf(uri: string, { call, by, datastores }: ToolContext) {
  const { id = '', datasourceId = '', part: wanted } = address.exec(uri)?.groups ?? {}
  if (id === '') throw new ResourceNotFoundError(uri)
  try {
    await datastores.byId(id)
    const document = await call('getDatasource', { path: { id, datasourceId } }, by)
    const { text, part, parts } = partOf(document.text, wanted && Number(wanted))
    const next = `${scheme}/${id}/${datasourceId}?part=${part + 1}`
    const end = part < parts ? `\n\n[Part ${part} of ${parts}. The next: ${next}]` : ''
    return { uri, mimeType, text: text + end }
  } catch (error) {
    if (error instanceof NotFound) throw new ResourceNotFoundError(uri)
    throw error
  }
}
