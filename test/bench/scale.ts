/**
 * `npm run bench:scale -- DIR`: cuts a collection (Cranfield's layout or BEIR's) into a small datastore
 * and a large one of the same server, and measures what the size costs a query, how the server fares
 * with far more clients than it can answer, and how queries and new documents fare while indexes are
 * being built. Load comes from processes of its own.
 */
import { join } from 'node:path'
import { atRest } from './at-rest.ts'
import { keepAwake } from './awake.ts'
import { cutTexts } from './cut.ts'
import { eventLoopDelay, watchingEventLoop } from './event-loop-delay.ts'
import { type Figure, figureRows } from './figures.ts'
import { measureFindings } from './findings.ts'
import { leastDisturbed } from './least-disturbed.ts'
import { measureOverload } from './overload.ts'
import { circumstances } from './query-report.ts'
import { readCollection } from './read-collection.ts'
import { residentOf, ResidentMemory } from './resident-memory.ts'
import { settle } from './rounds.ts'
import { runBench } from './run-bench.ts'
import { type Arguments, readArguments, usage } from './scale-arguments.ts'
import { storeInService } from './served-datastore.ts'
import { headersOf, sidesOf } from './service-sides.ts'
import type { Plan } from './side.ts'
import { measureSizes } from './sizes.ts'
import { questionsOf } from './spans.ts'
import { startJobs, startServer } from './start.ts'
import type { Started } from './started.ts'
import { aligned } from './table.ts'
import { measureWhileBuilding, newUpserts } from './while-building.ts'

const key = 'the-key-of-the-benchmark-of-scale'
const questionCount = 2_000
const warmUp = 0.5
const leastRecall = 0.95
/** Four take all that two processors have beside what is being written and indexed. */
const clientsWhileBuilding = [1, 4]
/**
 * Queries run before documents come: in so many seconds so many clients ask each of the questions at
 * least once. Who asks first waits for the rows that answer to be read, up to twice as long.
 */
const running = { seconds: 15, clients: 16 }
/**
 * Clients have processors of their own: where they waited for one behind the server, the longest of 240
 * refusals took 29 to 59 ms, which the server's event loop was never held up for, and so 31 to 39.
 */
const priorityOfClients = -10

const given = readArguments(process.argv.slice(2))
if (given === undefined) {
  console.error(usage)
  process.exit(1)
}
await runBench('scale', (data, started) => bench(given, data, started))

async function bench(
  { folder, fragments, small, seconds, rounds, building, tries, awake }: Arguments,
  data: string,
  started: Started,
) {
  if (awake) await keepAwake(started)
  const { documents, queries, judgements } = await readCollection(folder)
  const asked = queries.map(({ text }) => text)
  const questions = questionsOf(asked, documents, questionCount)
  const common = { questions, topK: 10, clients: [1], honoursRetryAfter: true }
  const plan: Plan = { ...common, pace: { seconds, warmUp } }

  const generator = await startJobs(started, 'load-generator.ts', priorityOfClients)
  const server = await startServer(started, join(data, 'served'), key, watchingEventLoop)
  const pid = server.process.pid!
  const memory = new ResidentMemory(pid)
  await started.add(memory.stop)

  const service = { url: server.url, key }
  const texts = cutTexts(documents, fragments)
  const few = await storeInService(server.url, key, cutTexts(documents, small))
  const many = await storeInService(server.url, key, texts)
  await atRest(pid)
  report('Stored', [
    { name: 'fragments of the small datastore', value: few.fragments, digits: 0 },
    { name: 'fragments of the large datastore', value: many.fragments, digits: 0 },
    { name: 'seconds to store the large one', value: many.seconds },
    residentOf(memory.takePeak()),
  ])

  const [smallSide] = sidesOf(service, few, plan, generator)
  const sides = sidesOf(service, many, plan, generator)
  await settle([smallSide!, ...sides], queries)
  const findings = await measureFindings(sides, texts, queries, judgements)
  report(
    'Answers of the large datastore',
    findings.flatMap(({ side, recall, ndcg }) => [
      ...(recall === undefined
        ? []
        : [{ name: `${side}: recall@10`, value: recall, digits: 3, atLeast: leastRecall }]),
      { name: `${side}: nDCG@10`, value: ndcg, digits: 3 },
    ]),
  )
  report('One client, vector mode', await measureSizes(smallSide!, sides[0]!, rounds))
  for (const side of sides) {
    const figures = await leastDisturbed(tries, () => measureOverload(side, rounds, memory))
    report(`Overload: ${side.name}`, figures)
  }

  const writer = await startJobs(started, 'load-generator.ts', priorityOfClients)
  const planFor = (time: number): Plan => ({ ...common, pace: { seconds: time, warmUp: 0 } })
  let run = 0
  // Each begins with as many fragments: where one went on with the others', the last had twice as many.
  const whileBuilding = async (mode: string, clients: number, begin: () => void) => {
    const stored = await storeInService(server.url, key, texts)
    const sideFor = (time: number) =>
      sidesOf(service, stored, planFor(time), generator).find(({ name }) => name === mode)!
    await atRest(pid)
    await sideFor(running.seconds).load(running.clients)
    const path = `/api/datastores/upsert/${stored.datastoreId}`
    const bodies = newUpserts(documents, building, run++)
    memory.takePeak()
    begin()
    const measured = await measureWhileBuilding(sideFor(building), clients, {
      writer,
      target: { url: server.url, path, headers: headersOf(key), bodies },
      seconds: building,
      table: join(data, 'served', `fragments_${stored.datastoreId}.lance`),
      eventLoop: () => eventLoopDelay(server),
    })
    const resident = residentOf(memory.takePeak())
    await stored.drop()
    return [...measured, resident]
  }
  for (const { name } of sides) {
    for (const clients of clientsWhileBuilding) {
      const figures = await leastDisturbed(tries, (begin) => whileBuilding(name, clients, begin))
      report(`Indexes being built: ${name}, clients asking all the time: ${clients}`, figures)
    }
  }
  report('In all', [{ ...residentOf(memory.highest()), name: 'MiB resident at the most' }])
  const order = generator.isPrior ? 'clients go before the server' : 'clients have no priority'
  console.log(`\n${circumstances(texts.length, awake)}; ${order}`)
}

function report(title: string, figures: Figure[]): void {
  console.log(`\n${title}\n${aligned(figureRows(figures))}`)
}
