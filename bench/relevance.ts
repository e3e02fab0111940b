/**
 * `npm run bench:relevance -- DIR [--unanswerable DIR]`: asks all queries of a collection in every mode,
 * beside LanceDB's default full text: how good the rankings are, what a query of one client takes, and
 * how well the best score tells a question that the collection answers from one that it does not. Then
 * it asks about the long READMEs of the packages here, for a fragment each.
 */
import { join } from 'node:path'
import { mean, median } from 'simple-statistics'
import { readCollection, readXquadQuestions } from './collection.ts'
import { longDocuments } from './long-documents.ts'
import { lanceContenders, rawWords } from './lancedb.ts'
import { areaUnderCurve, ndcg, percentile, recall } from './metrics.ts'
import { argumentsOf, runBench } from './run.ts'
import { type Mode, retrievalOf, type Service, startService, storeTexts } from './service.ts'
import { type Answer, askAll, type Retrieval } from './contenders.ts'
import { type Cell, circumstances, table } from './table.ts'

const { versions, folder, unanswerable } = argumentsOf({ folder: '', unanswerable: '' })
const modes: Mode[] = ['keyword', 'vector', 'hybrid']
const { documents, queries, judgements } = readCollection(folder)
const asked = queries.map(({ text }) => text)

/** Recall is of the distinct documents among 100 fragments: there may be fewer than 100 of them. */
const judged = (answers: Answer[], figure: typeof ndcg, depth: number): number =>
  mean(
    answers.map(({ numbers }, query) =>
      figure(numbers, judgements.get(queries[query]!.number)!, depth),
    ),
  )

const timesOf = (answers: Answer[]): number[] => answers.map(({ milliseconds }) => milliseconds)

await runBench(async (data, started) => {
  const noLoad = { seconds: 0, warmUp: 0 }
  const alone = await lanceContenders(started, join(data, 'lancedb'), documents, [], noLoad)
  const retrievals: Retrieval[] = alone.filter(({ name }) => name === rawWords)
  const services: Service[] = []
  for (const version of versions) {
    const service = await startService(started, version, join(data, version.name))
    services.push(service)
    const stored = await storeTexts(service, documents)
    retrievals.push(...modes.map((mode) => retrievalOf(stored, mode)))
  }
  // The first also warms up what the second times.
  const ranked = await askAll(retrievals, asked, 100)
  const timed = await askAll(retrievals, asked, 10)
  const p50OfWords = percentile(timesOf(timed[0]!), 0.5)
  const head = ['nDCG@10', 'recall@100', 'p50 ms', 'p95 ms', 'p50 / full text']
  const rows: Cell[][] = [[`${documents.length} documents`, ...head]]
  for (const [place, { name }] of retrievals.entries()) {
    const [p50, p95] = [0.5, 0.95].map((share) => percentile(timesOf(timed[place]!), share))
    const quality = [judged(ranked[place]!, ndcg, 10), judged(ranked[place]!, recall, 100)]
    rows.push([name, ...quality, p50!, p95!, p50! / p50OfWords])
  }
  console.log(table(rows))
  if (unanswerable !== '') {
    const others = await askAll(retrievals, readXquadQuestions(unanswerable), 10)
    const separation = retrievals.map(({ name }, place) => {
      const [own, foreign] = [timed, others].map((all) => all[place]!.map(({ score }) => score))
      return [name, areaUnderCurve(own!, foreign!), median(own!), median(foreign!)]
    })
    const titles = ['area under the ROC curve', 'median, answerable', 'median, unanswerable']
    console.log(table([['best score', ...titles], ...separation]))
  }
  console.log(await longDocuments(services))
  console.log(circumstances())
})
