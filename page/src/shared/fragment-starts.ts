import type { AgentsDatastores, Datasource } from '../../../client/src/index.ts'

const maxFragments = 100

/** Where the fragments of a document begin. A search by vector finds them all, but no more than `topK`. */
export async function startsOfFragments(
  client: AgentsDatastores,
  datastoreId: string,
  { id, name, fragmentCount }: Datasource,
): Promise<number[]> {
  if (fragmentCount < 2 || fragmentCount > maxFragments) return []
  const fragments = await client.queryDatastore(datastoreId, {
    query: name || 'text',
    mode: 'vector',
    topK: maxFragments,
    filters: { datasource_ids: [id] },
    include: ['span'],
  })
  return fragments.flatMap(({ span }) => span?.start ?? [])
}
