import { parsePages } from '../domain/documents.ts'
import type { Retrieval } from '../retrieval/retrieval.ts'
import type { Found } from '../store/types.ts'

type Place = { found: Found; datastoreId: string }

/** Where the pages of its file begin; null for a fragment of no pages. */
const known = new WeakMap<Found, readonly number[] | null>()

/** Where the pages of the fragments' files begin. Each datastore is read once, and not again for the same fragments. */
export async function pagesOf(
  retrieval: Retrieval,
  places: readonly Place[],
): Promise<(found: Found) => readonly number[] | undefined> {
  const unknown = places.filter(({ found }) => !known.has(found))
  const byDatastore = Map.groupBy(unknown, ({ datastoreId }) => datastoreId)
  await Promise.all(
    byDatastore.entries().map(async ([datastoreId, of]) => {
      const ids = new Set(of.map(({ found }) => found.datasourceId))
      const infos = await retrieval.infos(datastoreId, [...ids])
      for (const { found } of of) {
        const info = infos.get(found.datasourceId)
        // The datasource may have another text by now.
        if (info?.updatedAt === found.updatedAt) known.set(found, parsePages(info.pages))
      }
    }),
  )
  return (found) => known.get(found) ?? undefined
}
