import type { Client } from '../../generated/client/index.ts'
import { document, type Json, type Operation, type Parameter } from './contract.ts'
import { Visibility } from '../../generated/types.gen.ts'
import {
  makeAgent,
  makeConversation,
  makeDatastore,
  makeKey,
  putDocument,
  upsert,
} from './things.ts'

/** The ids of the contract's examples, by their kind. */
export const exampleIds = {
  agent: 'agt_5f0d2c9be1a84c7d93b6a1f2',
  conversation: 'cnv_6a1f0b3c9d2e4f5a8b7c6d50',
  datastore: 'dst_b7c1f0a2d94e4e0f8a6c3d51',
  datasource: 'src_0d6f2b8c41e94a7f9c53e7a1000',
  key: '4c1d9a7e20b35f68',
}
export type Ids = typeof exampleIds

/** The key of a document in the contract's examples, which any request may use. */
export const exampleKey = 'opening-hours'

/** The contract's example of a query finds it. */
export const exampleText = 'The library opens at nine in the morning.'

/** One thing of each kind, just made. */
export async function makeThings(client: Client): Promise<Ids> {
  const [asked, stored, { id: key }] = await Promise.all([
    makeAsked(client),
    makeStored(client),
    makeKey(client),
  ])
  return { ...asked, ...stored, key }
}

async function makeAsked(client: Client) {
  const { id: agent } = await makeAgent(client, { visibility: Visibility.PUBLIC })
  return { agent, conversation: await makeConversation(client, agent) }
}

async function makeStored(client: Client) {
  const datastore = await makeDatastore(client)
  const [[datasource = '']] = await Promise.all([
    upsert(client, datastore, exampleText),
    putDocument(client, datastore, exampleKey, { text: exampleText }),
  ])
  return { datastore, datasource }
}

/** The same things, with new ones for what a request of this operation has deleted, or changed for others. */
export async function replaced(client: Client, ids: Ids, operation: Operation): Promise<Ids> {
  const { method, path } = operation
  const isKept = method !== 'DELETE' && (method !== 'PATCH' || path.startsWith('/agents'))
  if (isKept) return ids
  if (path.startsWith('/keys')) return { ...ids, key: (await makeKey(client)).id }
  if (path.startsWith('/datastores')) return { ...ids, ...(await makeStored(client)) }
  return { ...ids, ...(await makeAsked(client)) }
}

/** Rows for `test.each`, titled by their operations. */
export const named = (some: Operation[]) =>
  some.map((operation) => [operation.operationId, operation] as const)

/** The text with the ids of the contract's examples replaced by these. */
export const withIds = (text: string, ids: Ids): string =>
  Object.entries(exampleIds).reduce(
    (result, [kind, example]) => result.replaceAll(example, ids[kind as keyof Ids]),
    text,
  )

/** An operation's path with the contract's example ids in it, and what its query has to hold. */
export function pathOf({ path, parameters }: Operation): string {
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((part, { name, schema }) => part.replace(`{${name}}`, exampleOf(schema)), path)
  const query = new URLSearchParams(
    parameters
      .filter(({ in: part, required }) => part === 'query' && required)
      .map(({ name, schema }) => [name, exampleOf(schema)]),
  )
  return query.size > 0 ? `${filled}?${query}` : filled
}

function exampleOf({ $ref, examples }: Parameter['schema']): string {
  const name = typeof $ref === 'string' ? $ref.split('/').at(-1)! : undefined
  const [example] = (examples ?? []) as Json[]
  return example === undefined && name
    ? exampleOf(document.components.schemas[name])
    : String(example)
}

export const mediaOf = ({ requestBody }: Operation) =>
  requestBody?.content['application/json'] ?? Object.values(requestBody?.content ?? {})[0]

/** Whether its body is JSON and nothing else. */
export const takesJson = ({ requestBody }: Operation): boolean =>
  requestBody?.content['application/json'] !== undefined

export const takesForm = ({ requestBody }: Operation): boolean =>
  requestBody?.content['multipart/form-data'] !== undefined

/** The bodies the contract gives as examples. */
export const examplesOf = (operation: Operation): Json[] =>
  Object.values(mediaOf(operation)?.examples ?? {}).map(({ value }) => value)

/** An example of a body; a file is a text, which is read at once and without a process. */
export const withText = (operation: Operation, example: Json): Json =>
  takesJson(operation) || typeof example === 'string'
    ? example
    : { ...(example as object), file: 'A text.' }

/** A valid request, its path and first example with these ids. */
export function requestFor(operation: Operation, ids: Ids): { path: string; body?: string } {
  const [example] = examplesOf(operation)
  const path = withIds(pathOf(operation), ids)
  return example === undefined
    ? { path }
    : { path, body: withIds(JSON.stringify(withText(operation, example)), ids) }
}
