import { type McpServer, ProtocolError, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { NotFound, type ServiceError, DocumentsUnreadable } from '../errors/errors.ts'
import { cite } from './citation.ts'
import { partOf, shortened } from './text-parts.ts'
import { named, type ToolContext } from './tool.ts'
import type { DatasourceSummary } from '../../generated/types.gen.ts'
import type { Datastore } from '../domain/datastores.ts'
import type { PageCursor } from '../store/types.ts'
import { invalidArgument, renameCursor } from './arguments.ts'

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
  report: (thrown: unknown) => ServiceError,
): void {
  const reporting = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    try {
      return await run()
    } catch (thrown) {
      if (thrown instanceof ProtocolError || context.by.deadline.signal.aborted) throw thrown
      throw new ProtocolError(invalidParams, report(thrown).message)
    }
  }
  server.setRequestHandler('resources/list', ({ params }) =>
    reporting(async () => {
      const { listed, nextCursor } = await resourcePage(params?.cursor, context)
      return { resources: listed.map(toResource), nextCursor }
    }),
  )
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [template] }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    reporting(async () => ({ contents: [await contentOf(uri, context)] })),
  )
}

const invalidParams = -32_602
const maxName = 200

function toResource({ document, datastore }: ListedDocument) {
  const { id, name, source, metadata } = document
  const { title } = cite({ id, name, source, metadata, datastore: named(datastore) }, '')
  return {
    uri: `${scheme}/${datastore.id}/${id}`,
    name: shortened(title, maxName),
    description: `In ${shortened(datastore.value.name, maxName)}`,
    mimeType,
  }
}

const documentUri =
  /^agents-datastores:\/\/documents\/(?<id>\w{1,128})\/(?<datasourceId>\w{1,128})(?:\?part=(?<part>\d{1,6}))?$/

/** One part of a document, with a last line that says where the next one is. */
async function contentOf(uri: string, { call, by, datastores }: ToolContext) {
  const { id = '', datasourceId = '', part: wanted } = documentUri.exec(uri)?.groups ?? {}
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

const limit = 50
const maxDatastores = 16

type ListedDocument = { document: DatasourceSummary; datastore: Datastore }
type DocumentPage = { listed: ListedDocument[]; nextCursor: string | undefined }

/** Where a page begins: after a datastore, or within one, after one of its documents. */
type Position = {
  after?: PageCursor | undefined
  within?: { id: string; cursor: string } | undefined
}

/** A page of the documents of all datastores, the oldest datastore first. @throws InvalidRequest */
async function resourcePage(
  cursor: string | undefined,
  { call, by, datastores }: ToolContext,
): Promise<DocumentPage> {
  let { after, within } = toPosition(cursor)
  const following = await datastores.first(maxDatastores + 1, after)
  const listed: ListedDocument[] = []
  for (const datastore of following.slice(0, maxDatastores)) {
    const { id, createdAt } = datastore
    const start = within?.id === id ? { cursor: within.cursor } : {}
    const query = { limit: limit - listed.length, ...start }
    const { data, nextCursor } = await call('listDatasources', { path: { id }, query }, by)
      .catch(renameCursor)
      .catch(noneIfUnreadable)
    listed.push(...data.map((document) => ({ document, datastore })))
    within = nextCursor === null ? undefined : { id, cursor: nextCursor }
    if (within) return { listed, nextCursor: toCursor({ after, within }) }
    after = { createdAt, id }
    if (listed.length === limit) break
  }
  const isLast = following.at(-1)?.id === after?.id || following.length === 0
  return { listed, nextCursor: isLast ? undefined : toCursor({ after }) }
}

function noneIfUnreadable(error: unknown): { data: DatasourceSummary[]; nextCursor: null } {
  if (!(error instanceof NotFound || error instanceof DocumentsUnreadable)) throw error
  return { data: [], nextCursor: null }
}

const toCursor = ({ after, within }: Position): string => {
  const parts = [after?.createdAt, after?.id, within?.id, within?.cursor]
  return Buffer.from(parts.map((part) => part ?? '').join(' ')).toString('base64url')
}

function toPosition(cursor: string | undefined): Position {
  if (cursor === undefined) return {}
  const match = cursorText.exec(Buffer.from(cursor, 'base64url').toString())
  if (!match) throw invalidArgument('cursor', 'is not the nextCursor of a page')
  const { createdAt, afterId, id, inner } = match.groups!
  return {
    ...(createdAt && afterId && { after: { createdAt, id: afterId } }),
    ...(id && inner && { within: { id, cursor: inner } }),
  }
}

const cursorText =
  /^(?:(?<createdAt>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (?<afterId>\w+)| ) (?:(?<id>\w+) (?<inner>[\w-]+)| )$/
