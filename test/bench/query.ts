/**
 * `npm run bench:query -- DIR`: cuts a collection (Cranfield's layout or BEIR's) into fragments and
 * asks the service, Chroma's own server and LanceDB alone the same questions about them: queries a
 * second and latency by the number of clients, beside how good the answers are. Load over HTTP comes
 * from a process of its own, and every side answers `topK` whole results.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { atRest } from './at-rest.ts'
import { keepAwake } from './awake.ts'
import { chromaSide } from './chroma-side.ts'
import { installChroma, startChroma } from './chroma-server.ts'
import type { Text } from './collection.ts'
import { cutTexts } from './cut.ts'
import { figureRows } from './figures.ts'
import { measureFindings } from './findings.ts'
import { plotOf } from './plot.ts'
import { type Arguments, readArguments, usage } from './query-arguments.ts'
import { circumstances, markdownOf, ratioLines, rowsOf } from './query-report.ts'
import { ratiosOf } from './ratios.ts'
import { rawSide } from './raw-side.ts'
import { readCollection } from './read-collection.ts'
import { settle } from './rounds.ts'
import { runBench } from './run-bench.ts'
import { serviceSides } from './service-sides.ts'
import type { Plan, Side } from './side.ts'
import { questionsOf } from './spans.ts'
import { measureSpeeds } from './speeds.ts'
import { startJobs, startServer } from './start.ts'
import type { Started } from './started.ts'
import { StolenTime } from './stolen-time.ts'
import { aligned } from './table.ts'

const key = 'the-key-of-the-benchmark-of-queries'
const topK = 10
const questionCount = 2_000
const warmUp = 0.5

const given = readArguments(process.argv.slice(2))
if (given === undefined) {
  console.error(usage)
  process.exit(1)
}
await runBench('query', (data, started) => bench(given, data, started))

async function bench(
  { folder, fragments, seconds, rounds, clients, plot, awake }: Arguments,
  data: string,
  started: Started,
) {
  if (awake) await keepAwake(started)
  const { documents, queries, judgements } = await readCollection(folder)
  const texts = cutTexts(documents, fragments)
  const asked = queries.map(({ text }) => text)
  const questions = questionsOf(asked, documents, questionCount)
  const plan: Plan = { questions, topK, pace: { seconds, warmUp }, clients }

  const sides = await openSides(texts, plan, data, started)
  console.log(`${texts.length} fragments are stored; ${questions.length} questions`)
  await settle(sides, queries)
  const findings = await measureFindings(sides, texts, queries, judgements)
  const stolen = new StolenTime()
  const measured = await measureSpeeds(sides, rounds)
  const others = figureRows([stolen.takeFigure()])

  const rows = rowsOf(measured, findings)
  const caption = circumstances(texts.length, awake)
  console.log(`\n${aligned(rows)}\n\n${aligned(ratioLines(ratiosOf(measured)))}`)
  console.log(`${aligned(others)}\n`)
  console.log(`${markdownOf(rows)}\n\n${caption}\n`)
  await mkdir(dirname(plot), { recursive: true })
  await writeFile(plot, plotOf(measured, caption))
  console.log(`The plot is ${plot}`)
}

/** Starts every side and stores the texts, one after the other, each given the machine for itself. */
async function openSides(
  texts: Text[],
  plan: Plan,
  data: string,
  started: Started,
): Promise<Side[]> {
  await installChroma()
  const generator = await startJobs(started, 'load-generator.ts')

  const server = await startServer(started, join(data, 'served'), key)
  const served = await serviceSides({ url: server.url, key }, texts, plan, generator)
  await atRest(server.process.pid!)

  const chroma = await startChroma(join(data, 'chroma'))
  await started.add(chroma.stop)
  const peer = await chromaSide(chroma.url, texts, plan, generator)
  await atRest(chroma.pid)

  const alone = await startJobs(started, 'raw-lancedb.ts')
  return [...served, peer, await rawSide(alone, join(data, 'alone'), texts, plan)]
}
