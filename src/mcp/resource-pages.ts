import type { DatasourceSummary } from '../../generated/types.gen.ts'
import type { Datastore } from '../domain/datastores.ts'
import { DocumentsUnreadable, NotFound } from '../errors/errors.ts'
import { wrong } from './chosen-by-name.ts'
import { namingCursor } from './naming.ts'
import type { ToolContext } from './tool.ts'

/** How many documents a page has, and how many datastores are looked into for them. */
const limit = 50
const maxDatastores = 16

export type ListedDocument = { document: DatasourceSummary; datastore: Datastore }
type DocumentPage = { listed: ListedDocument[]; nextCursor: string | undefined }

/** Where a page goes on: after which datastore, and in which one after which of its documents. */
type Position = {
  after?: { createdAt: string; id: string } | undefined
  within?: { id: string; cursor: string } | undefined
}

/** A page of the documents of all datastores, the oldest datastore first. @throws InvalidRequest */
export async function resourcePage(
  cursor: string | undefined,
  { call, by, datastores }: ToolContext,
): Promise<DocumentPage> {
  let { after, within } = toPosition(cursor)
  const following = await datastores.first(maxDatastores + 1, after)
  const listed: ListedDocument[] = []
  for (const datastore of following.slice(0, maxDatastores)) {
    const { id, createdAt } = datastore
    const goesOn = within?.id === id ? { cursor: within.cursor } : {}
    const query = { limit: limit - listed.length, ...goesOn }
    const { data, nextCursor } = await call('listDatasources', { path: { id }, query }, by)
      .catch(namingCursor)
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
  if (!match) throw wrong('cursor', 'is not the nextCursor of a page')
  const { createdAt, afterId, id, inner } = match.groups!
  return {
    ...(createdAt && afterId && { after: { createdAt, id: afterId } }),
    ...(id && inner && { within: { id, cursor: inner } }),
  }
}

const cursorText =
  /^(?:(?<createdAt>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (?<afterId>\w+)| ) (?:(?<id>\w+) (?<inner>[\w-]+)| )$/
