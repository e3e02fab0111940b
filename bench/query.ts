/**
 * `npm run bench:query -- DIR`: the service, Chroma's own server and LanceDB alone answer the same
 * questions about the same fragments in turns: queries a second and latency by the number of clients,
 * and how good the answers are.
 */
import { join } from 'node:path'
import { mean } from 'simple-statistics'
import { chromaName, chromaContender } from './chroma.ts'
import { readCollection } from './collection.ts'
import { lanceContenders, rawVectors, rawWords } from './lancedb.ts'
import { ndcg } from './metrics.ts'
import { argumentsOf, runBench } from './run.ts'
import { contenderOf, startService, storeTexts } from './service.ts'
import { askAll, type Cell, cellOf, medianOf, type Contender, takeTurns } from './contenders.ts'
import { circumstances, table } from './table.ts'
import { cutTexts, documentsOf, questionsOf } from './texts.ts'
import { nearestRecall } from './vectors.ts'

const defaults = { folder: '', fragments: 20_000, seconds: 4, rounds: 3 }
const { versions, folder, fragments, seconds, rounds } = argumentsOf(defaults)
const pace = { seconds, warmUp: 1 }
const { documents, queries, judgements } = readCollection(folder)
const texts = cutTexts(documents, fragments)
const asked = queries.map(({ text }) => text)
const questions = questionsOf(asked, documents, 2_000)

/**
 * Means over the collection's queries: recall@10 of the nearest vectors, of contenders that look for those
 * alone, and nDCG@10 of the documents that the best hundred pieces are from.
 */
async function measureFindings(contenders: Contender[]): Promise<Map<string, number[]>> {
  const recallOf = await nearestRecall(texts, asked, 10)
  const nearest = await askAll(contenders, asked, 10)
  const judged = await askAll(contenders, asked, 100)
  const quality = (pieces: string[], query: number) =>
    ndcg(documentsOf(pieces), judgements.get(queries[query]!.number)!, 10)
  return new Map(
    contenders.map(({ name }, contender) => {
      const recalls = nearest[contender]!.map(({ numbers }, query) => recallOf(query, numbers))
      const qualities = judged[contender]!.map(({ numbers }, query) => quality(numbers, query))
      return [name, [name.endsWith('vector') ? mean(recalls) : NaN, mean(qualities)]]
    }),
  )
}

/** How each version does beside the others, where several numbers of clients are given at the better. */
function ratios(cells: Cell[]): [string, number][] {
  const of = (figure: 'rate' | 'p50', name: string, ...clients: number[]) => {
    const some = cells.filter((cell) => cell.name === name && clients.includes(cell.clients))
    return Math.max(...some.map((cell) => medianOf(cell, figure)))
  }
  const chroma = of('rate', chromaName, 64, 128)
  const [first] = versions.map(({ name }) => name)
  return versions.flatMap(({ name }): [string, number][] => {
    const [vector, hybrid] = [`${name}, vector`, `${name}, hybrid`]
    const [vectorRate, hybridRate] = [of('rate', vector, 64, 128), of('rate', hybrid, 64, 128)]
    const hybridBeside = of('rate', hybrid, 64) / of('rate', `${first}, hybrid`, 64)
    return [
      [`queries/s: ${vector} / Chroma, each at its better of 64 and 128`, vectorRate / chroma],
      [`queries/s: ${hybrid} / Chroma, the same`, hybridRate / chroma],
      [`queries/s: ${vector} / LanceDB, 16 callers`, vectorRate / of('rate', rawVectors, 16)],
      [`p50 of one client: ${vector} / LanceDB`, of('p50', vector, 1) / of('p50', rawVectors, 1)],
      [`p50 of one client: ${hybrid} / full text`, of('p50', hybrid, 1) / of('p50', rawWords, 1)],
      [`queries/s of 64 clients: ${hybrid} / ${first}`, hybridBeside],
    ]
  })
}

await runBench(async (data, started) => {
  const contenders: Contender[] = []
  for (const version of versions) {
    const service = await startService(started, version, join(data, version.name))
    const stored = await storeTexts(service, texts)
    contenders.push(
      contenderOf(stored, 'vector', questions, pace),
      contenderOf(stored, 'hybrid', questions, pace),
    )
  }
  contenders.push(await chromaContender(started, join(data, 'chroma'), texts, questions, pace))
  contenders.push(
    ...(await lanceContenders(started, join(data, 'lancedb'), texts, questions, pace)),
  )

  const findings = await measureFindings(contenders)
  const cells = contenders.flatMap((contender) =>
    contender.clients.map((clients) => cellOf(contender, clients)),
  )
  await takeTurns(cells, rounds)

  const head = ['clients', 'queries/s', 'p50 ms', 'p95 ms', 'p99 ms', 'recall@10', 'nDCG@10']
  const rows = cells.map((cell) => {
    const speeds = (['rate', 'p50', 'p95', 'p99'] as const).map((one) => medianOf(cell, one))
    return [cell.name, cell.clients, ...speeds, ...findings.get(cell.name)!]
  })
  console.log(table([[`${texts.length} fragments`, ...head], ...rows]))
  console.log(table([['ratio', ''], ...ratios(cells)]), circumstances())
})
