import type { Client } from '../../generated/client/index.ts'
import * as sdk from '../../generated/sdk.gen.ts'
import {
  type Agent,
  type CreateAgent,
  type CreatedKey,
  type CreateKey,
  type DatasourceSummary,
  type Fragment,
  type NewDocument,
  type PutKnowledge,
  type QueryDatastore,
  Scope,
} from '../../generated/types.gen.ts'

/** What a test makes for itself. Each fails on anything but success. */

export async function makeAgent(client: Client, fields: Partial<CreateAgent> = {}): Promise<Agent> {
  const body = { name: 'Librarian', description: 'Answers questions.', ...fields }
  const { data } = await sdk.createAgent({ client, body, throwOnError: true })
  return data
}

/** A conversation with one question of a visitor, and its answer. */
export async function makeConversation(client: Client, agentId: string): Promise<string> {
  const body = { query: 'When does the library open?', visitorId: 'visitor-1138' }
  const path = { id: agentId }
  const { data } = await sdk.queryAgent({ client, path, body, throwOnError: true })
  return data.conversationId ?? ''
}

/** An agent that answers from a new datastore with these documents; `put` is more of its knowledge. */
export async function makeLearnedAgent(
  client: Client,
  documents: (string | NewDocument)[],
  fields: Partial<CreateAgent> = {},
  put: Partial<PutKnowledge> = {},
): Promise<{ agent: string; datastore: string; datasources: string[] }> {
  const { id: agent } = await makeAgent(client, fields)
  const datastore = await makeDatastore(client)
  const datasources = await upsert(client, datastore, ...documents)
  const body = { datastoreIds: [datastore], ...put }
  await sdk.putKnowledge({ client, path: { id: agent }, body, throwOnError: true })
  return { agent, datastore, datasources }
}

export async function makeKey(
  client: Client,
  fields: Partial<CreateKey> = {},
): Promise<CreatedKey> {
  const body = { name: 'test', scopes: [Scope.DATASTORES_READ], ...fields }
  const { data } = await sdk.createKey({ client, body, throwOnError: true })
  return data
}

export async function makeDatastore(client: Client, name = 'library'): Promise<string> {
  const { data } = await sdk.createDatastore({ client, body: { name }, throwOnError: true })
  return data.id
}

export async function upsert(
  client: Client,
  datastoreId: string,
  ...documents: (NewDocument | string)[]
): Promise<string[]> {
  const { data } = await sdk.upsertDocuments({
    client,
    path: { datastoreId },
    body: {
      documents: documents.map((document) =>
        typeof document === 'string' ? { text: document } : document,
      ),
    },
    throwOnError: true,
  })
  return data.ids
}

export async function putDocument(
  client: Client,
  id: string,
  key: string,
  body: NewDocument,
): Promise<DatasourceSummary> {
  const { data } = await sdk.putDocument({ client, path: { id, key }, body, throwOnError: true })
  return data
}

export async function query(client: Client, id: string, body: QueryDatastore): Promise<Fragment[]> {
  const { data } = await sdk.queryDatastore({ client, path: { id }, body, throwOnError: true })
  return data
}
