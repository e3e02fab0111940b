/**
 * `npm run bench:collections -- DIR`: how good the rankings of all collections in a folder are, in this
 * process and without LanceDB, so that many take minutes.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { mean } from 'simple-statistics'
import { type Collection, readCollection, type Text } from './collection.ts'
import { inMemory } from './in-memory.ts'
import { ndcg } from './metrics.ts'
import { argumentsOf } from './run.ts'
import type { Mode } from './service.ts'
import type { Retrieval } from './contenders.ts'
import { type Cell, table } from './table.ts'

const { versions, folder, queries: maxQueries } = argumentsOf({ folder: '', queries: 300 })
const modes: Mode[] = ['keyword', 'hybrid']

/** So many at most, from all over the collection. */
const someOf = (queries: Text[]): Text[] => {
  const step = Math.max(1, queries.length / maxQueries)
  return queries.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step))
}

async function measure({ ask }: Retrieval, { queries, judgements }: Collection): Promise<number[]> {
  const figures: number[][] = []
  for (const { number, text } of queries) {
    const gains = judgements.get(number)!
    const found = (await ask(text, 10)).map((one) => one.number)
    const rank = found.findIndex((one) => (gains.get(one) ?? 0) > 0)
    figures.push([ndcg(found, gains, 10), Number(rank === 0), Number(rank >= 0 && rank < 5)])
  }
  return [0, 1, 2].map((figure) => mean(figures.map((some) => some[figure]!)))
}

const titles = ['documents', 'queries', 'nDCG@10', 'first', 'in five']
const rows: Cell[][] = [['collection', '', ...titles]]
const ndcgs = new Map<string, number[]>()
for (const name of readdirSync(folder).toSorted()) {
  const collection = readCollection(join(folder, name))
  const { documents } = collection
  const queries = someOf(collection.queries)
  for (const version of versions) {
    const retrievalOf = await inMemory(version, documents)
    for (const retrieval of modes.map(retrievalOf)) {
      const figures = await measure(retrieval, { ...collection, queries })
      const counts = [String(documents.length), String(queries.length)]
      rows.push([name, retrieval.name, ...counts, ...figures])
      ndcgs.set(retrieval.name, [...(ndcgs.get(retrieval.name) ?? []), figures[0]!])
    }
  }
}
for (const [name, all] of ndcgs) rows.push(['mean', name, '', '', mean(all), '', ''])
console.log(table(rows))
