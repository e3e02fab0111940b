/**
 * `npm run bench:relevance -- DIR`: stores a collection (Cranfield's layout or BEIR's) through the
 * generated client and asks all its queries in every mode, beside LanceDB's default full text: how
 * good the rankings are, and the time a query takes with one client that asks one at a time.
 * With `--fragments 20000` its texts are cut into so many, and only the time is measured: the
 * judgements say nothing about pieces.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { spawnServer } from '../support/server-process.ts'
import { cutTexts } from './cut.ts'
import { openDefaultFullText } from './default-full-text.ts'
import { ndcg } from './ndcg.ts'
import { readCollection } from './read-collection.ts'
import { recall } from './recall.ts'
import { type Answer, askAll, percentile, settle } from './rounds.ts'
import { storeInService } from './served-datastore.ts'
import { aligned } from './table.ts'

const key = 'the-key-of-the-relevance-benchmark'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { fragments: { type: 'string' } },
})
const [folder] = positionals
const count = values.fragments === undefined ? undefined : Number(values.fragments)
const isCountable = count === undefined || (Number.isSafeInteger(count) && count > 0)
if (folder === undefined || positionals.length > 1 || !isCountable) {
  console.error('Usage: npm run bench:relevance -- DIR [--fragments COUNT]')
  process.exit(1)
}
const { documents, queries, judgements } = await readCollection(folder)
const texts = count === undefined ? documents : cutTexts(documents, count)

const data = await mkdtemp(join(tmpdir(), 'relevance-'))
const settings = { DATA_URI: join(data, 'served'), INITIAL_KEY: key, LOG_LEVEL: 'warn' }
const server = await spawnServer(settings)
try {
  const { retrievals: served, seconds, fragments } = await storeInService(server.url, key, texts)
  console.log(
    `${texts.length} documents, ${fragments} fragments, ${queries.length} queries, stored in ${seconds.toFixed(1)} s\n`,
  )
  const { retrieval, close } = await openDefaultFullText(join(data, 'alone'), texts)
  const retrievals = [retrieval, ...served]
  await settle(retrievals, queries)
  const ranked = count === undefined ? await askAll(retrievals, queries, 100) : undefined
  const timed = await askAll(retrievals, queries, 10)
  const yardstick = percentile(timesOf(timed[0]!), 0.5)
  console.log(
    aligned([
      ['', ...(ranked ? ['nDCG@10', 'recall@100'] : []), 'p50 ms', 'p95 ms', 'x full text'],
      ...retrievals.map(({ name }, index) => [
        name,
        ...(ranked ? relevanceOf(ranked[index]!) : []),
        ...timeOf(timed[index]!, yardstick),
      ]),
    ]),
  )
  close()
} finally {
  await server.kill('SIGTERM')
  await rm(data, { recursive: true, force: true, maxRetries: 5 })
}

/** Recall is of the distinct documents among 100 fragments: there may be fewer than 100 of them. */
function relevanceOf(answers: Answer[]): string[] {
  const mean = (figure: typeof ndcg, depth: number) => {
    const figures = answers.map(({ query, ranked }) =>
      figure(ranked, judgements.get(query.number)!, depth),
    )
    return (figures.reduce((sum, of) => sum + of, 0) / figures.length).toFixed(4)
  }
  return [mean(ndcg, 10), mean(recall, 100)]
}

function timeOf(answers: Answer[], yardstick: number): string[] {
  const [median, high] = [0.5, 0.95].map((share) => percentile(timesOf(answers), share))
  return [median!.toFixed(1), high!.toFixed(1), (median! / yardstick).toFixed(1)]
}

function timesOf(answers: Answer[]): number[] {
  return answers.map(({ milliseconds }) => milliseconds)
}
