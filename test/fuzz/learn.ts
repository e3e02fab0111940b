import type { Json } from '../support/contract.ts'
import type { Workspace } from './callers.ts'
import type { Kind, Thing } from './known-things.ts'
import { kindOf } from './targets.ts'
import { type Answer, type Case, pathOfTarget, type Wire } from './wire.ts'

type Members = Record<string, Json>

/** What deletions under way are about, as it was known before. */
const taking = new WeakMap<Case, Thing>()

/** Notes what a deletion may take away, once it is sent. */
export function noteSent(one: Case): void {
  const deleted = deletedBy(one)
  if (!deleted) return
  const { kind, thing } = deleted
  const known = kind && one.caller.workspace.things.find(kind, thing)
  if (known) taking.set(one, known)
  remove(one, deleted)
  one.caller.workspace.things.leave(idOf(deleted))
}

/** Notes what an answer, or that there is none, tells of what there is now. */
export function noteAnswer(one: Case, answer: Answer | undefined, since: number): void {
  const deleted = deletedBy(one)
  if (deleted) noteDeleted(one, deleted, answer, since)
  else if (answer && answer.status < 300) noteMade(one, answer, since)
}

function noteDeleted(one: Case, deleted: Deleted, answer: Answer | undefined, since: number): void {
  const { things } = one.caller.workspace
  things.settle(idOf(deleted))
  if (deleted.kind && answer?.status === 200) things.bury(deleted.kind, deleted.thing)
  const isKept = answer && answer.status >= 400 && answer.status !== 404
  const kept = taking.get(one)
  if (!isKept) remove(one, deleted)
  else if (deleted.kind && kept) things.add(deleted.kind, kept, since)
  taking.delete(one)
}

function remove({ caller }: Case, { kind, thing }: Deleted): void {
  const { things } = caller.workspace
  if (kind) things.remove(kind, thing)
  else things.removeWithin(thing.id)
}

function noteMade(one: Case, answer: Answer, since: number): void {
  const learn = one.operation && lessons[one.operation.operationId]
  // What is sent again may be answered as before, with ids of what has gone since.
  if (!learn || !('wire' in one) || one.title === 'sent again') return
  const parent = segmentsOf(one.wire.target)[2] ?? ''
  const body = bodyOf(answer)
  if (body) learn(body, { ...one.caller.workspace, since, parent })
}

/** Whether what a request asks for has been there all the time since. */
export function stayed(one: Case, since: number): boolean {
  const kind = one.operation && kindOf(one.operation)
  if (!kind || !('wire' in one)) return true
  const { things } = one.caller.workspace
  // An agent asks datastores that its path does not name.
  if (one.operation?.operationId === 'queryAgent' && !things.isCalm(since)) return false
  const { conversationId, id } = sentBy(one.wire)
  const [, , first = '', , second = id] = segmentsOf(one.wire.target)
  const isWithin = kind === 'datasource' || kind === 'document'
  const thing = isWithin ? { id: String(second), parent: first } : { id: first }
  const conversation = { id: String(conversationId), parent: first }
  return (
    (one.operation?.method === 'PUT'
      ? things.stayed('datastore', { id: first }, since)
      : things.stayed(kind, thing, since)) &&
    (conversationId === undefined || things.stayed('conversation', conversation, since))
  )
}

/** The members of a body, where it is JSON. */
function sentBy({ headers, body }: Wire): Members {
  const isJson = headers.some(([, value]) => value === 'application/json')
  return body && isJson ? (JSON.parse(body.toString()) as Members) : {}
}

type Deleted = { kind?: Kind; thing: Thing }

/** Of a collection the id of what it is in. */
const idOf = ({ thing }: Deleted): string => thing.id

/** What a request may delete; without a kind it is something within `parent`. */
function deletedBy(one: Case): Deleted | undefined {
  const isTaken = one.expected === 'valid' || one.expected === 'anything'
  if (!('wire' in one) || one.operation?.method !== 'DELETE' || !isTaken) return undefined
  const [, , first = '', , second] = segmentsOf(one.wire.target)
  if (!one.operation.path.endsWith('}')) return { thing: { id: first } }
  const thing = second === undefined ? { id: first } : { id: second, parent: first }
  const kind = kindOf(one.operation)
  // One that is revoked is still there.
  return kind && kind !== 'key' ? { kind, thing } : undefined
}

type Context = Workspace & { since: number; parent: string }
type Lesson = (body: Members, context: Context) => void

const lessons: Record<string, Lesson> = {
  createAgent: (body, context) => addTo('agent', body, context),
  createDatastore: (body, context) => addTo('datastore', body, context),
  createKey: (body, context) => addTo('key', body, context),
  upsertDocuments: ({ ids }, { things, since, parent }) => {
    for (const id of ids as string[]) things.add('datasource', { id, parent }, since)
  },
  putDocument: addDocument,
  putDocuments: ({ documents }, context) => {
    for (const one of documents as Members[]) addDocument(one, context)
  },
  uploadFile: addDocument,
  putFile: addDocument,
  queryAgent: ({ conversationId }, { things, since, parent }) => {
    if (typeof conversationId !== 'string') return
    things.add('conversation', { id: conversationId, parent }, since)
  },
}

function addTo(kind: Kind, { id }: Members, { things, since }: Context): void {
  things.add(kind, { id: String(id) }, since)
}

function addDocument({ id, key }: Members, { things, since, parent }: Context): void {
  const datasource = String(id)
  if (typeof key !== 'string') return things.add('datasource', { id: datasource, parent }, since)
  things.add('datasource', { id: datasource, parent, twin: key }, since)
  things.add('document', { id: key, parent, twin: datasource }, since)
}

export function segmentsOf(target: string): string[] {
  const path = pathOfTarget(target).replace(/^\/api\/datastores\/(upsert|update)/, '/datastores')
  return path.split('/').map((segment) => {
    try {
      return decodeURIComponent(segment)
    } catch {
      return segment
    }
  })
}

/** Of a stream the answer in its last event. */
function bodyOf({ headers, text }: Answer): Members | undefined {
  if (!headers.get('content-type')?.startsWith('text/event-stream')) return JSON.parse(text)
  const done = /^event: done\ndata: ([^\n]*)/m.exec(text)?.[1]
  return done === undefined ? undefined : JSON.parse(done).answer
}
