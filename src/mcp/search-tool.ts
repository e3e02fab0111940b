import { defaults } from '../../generated/defaults.gen.ts'
import type { Fragment } from '../../generated/types.gen.ts'
import { NotFound, orUndefined } from '../errors/errors.ts'
import { EmbeddingModelMismatch } from '../errors/provider-errors.ts'
import { titleOf, urlOf } from './citation.ts'
import { comparable } from '../retrieval/across-datastores.ts'
import type { Tool } from './tool.ts'

type Found = { fragment: Fragment; rank: number; datastoreId: string }

/** The best fragments of all datastores, by document. */
export const searchTool: Tool = {
  operationId: 'queryDatastore',
  isOfDatastores: true,
  isReadOnly: true,
  run: async (args, { call, by, base, datastores }) => {
    const search = async ({ id }: { id: string }): Promise<Found[]> => {
      const query = (body: object) => call('queryDatastore', { path: { id }, body }, by)
      const [fragments, { fragmentCount }] = await Promise.all([
        query(args).catch((error: unknown) => {
          if (!(error instanceof EmbeddingModelMismatch)) throw error
          return query({ ...args, mode: 'keyword' })
        }),
        call('getDatastore', { path: { id } }, by),
      ])
      return fragments.map((fragment) => {
        return { fragment, rank: comparable(fragment.score, fragmentCount), datastoreId: id }
      })
    }
    const found: Found[][] = []
    for (const some of inGroups(await datastores())) {
      // Another caller may have deleted a datastore meanwhile.
      const all = some.map((one) => search(one).catch(orUndefined(NotFound)))
      found.push(...(await Promise.all(all)).filter((each) => each !== undefined))
    }
    const topK = typeof args.topK === 'number' ? args.topK : defaults.TopK
    const best = found.flat().toSorted((a, b) => b.rank - a.rank)
    const documents = Map.groupBy(best.slice(0, topK), ({ fragment }) => fragment.datasource_id)
    return { results: Array.from(documents.values(), (of) => toResult(of, base)) }
  },
}

/** More at once would keep the event loop from others. */
const maxAtOnce = 4

const inGroups = <Item>(items: Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / maxAtOnce) }, (_, group) =>
    items.slice(group * maxAtOnce, (group + 1) * maxAtOnce),
  )

function toResult(found: Found[], base: string) {
  const [{ fragment, datastoreId }] = found as [Found, ...Found[]]
  const { datasource_id: id, datasource_name: name, source, score } = fragment
  const cited = { id, name, source, datastoreId }
  return {
    id,
    title: titleOf(cited),
    url: urlOf(cited, base),
    text: found.map(({ fragment: { text } }) => text).join('\n\n'),
    score,
  }
}
