import type { AgentsDatastores } from '../../../client/src/index.ts'
import type { Metadata } from './provenance.ts'

export type StoredDocument = { id: string; name: string | null; metadata: Metadata | null }

/** Every document that has a key, by that key. */
export type StoredDocuments = Map<string, StoredDocument>

export async function storedDocuments(
  client: AgentsDatastores,
  datastoreId: string,
  signal: AbortSignal,
): Promise<StoredDocuments> {
  const stored: StoredDocuments = new Map()
  const all = client.listDatasources(datastoreId, { limit: 100 }, { signal })
  for await (const { key, id, name, metadata } of all) {
    if (key !== null) stored.set(key, { id, name, metadata })
  }
  return stored
}
