import type { AgentsDatastores } from '../../index.ts'
import type { Metadata } from './provenance.ts'

/** The metadata of every document that has a key, by that key. */
export type StoredDocuments = Map<string, Metadata | null>

export async function storedDocuments(
  client: AgentsDatastores,
  datastoreId: string,
  signal: AbortSignal,
): Promise<StoredDocuments> {
  const stored: StoredDocuments = new Map()
  for await (const { key, metadata } of client.listDatasources(
    datastoreId,
    { limit: 100 },
    { signal },
  )) {
    if (key !== null) stored.set(key, metadata)
  }
  return stored
}
