import type { AgentsDatastores, DatasourceSummary } from '../../../client/src/index.ts'

/** Documents that came after these are not listed: search them instead. */
export const maxListed = 5_000

/** The first documents of a datastore, newest first. */
export async function allDocuments(
  client: AgentsDatastores,
  datastoreId: string,
  signal: AbortSignal,
): Promise<DatasourceSummary[]> {
  const all: DatasourceSummary[] = []
  for await (const one of client.listDatasources(datastoreId, { limit: 100 }, { signal })) {
    all.push(one)
    if (all.length === maxListed) break
  }
  return all.toReversed()
}
