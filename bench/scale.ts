/**
 * `npm run bench:scale -- DIR`: two datastores of one server, small and large: what size costs a query,
 * how the server fares with far more clients than it can answer, how a query fares while documents come
 * in and are indexed, and how soon it answers after a start.
 */
import { join } from 'node:path'
import { mean } from 'simple-statistics'
import { readCollection } from './collection.ts'
import { callLoad, failuresOf, patientLoad } from './load.ts'
import { percentile } from './metrics.ts'
import { whenIdle, peakMemory } from './processes.ts'
import { argumentsOf, runBench } from './run.ts'
import { type Mode, post, retrievalOf, contenderOf, startService } from './service.ts'
import { type Stored, storeTexts, upsertPath } from './service.ts'
import { askAll, cellOf, medianOf, takeTurns } from './contenders.ts'
import { type Cell, circumstances, table } from './table.ts'
import { cutTexts, questionsOf } from './texts.ts'
import { nearestRecall } from './vectors.ts'

const times = { seconds: 10, rounds: 3, building: 30 }
const options = argumentsOf({ folder: '', fragments: 100_000, small: 20_000, ...times })
const { versions, folder, fragments, small, seconds, rounds, building } = options
const pace = { seconds, warmUp: 2 }
/** As many clients as a server serves well, and then more than it wants to. */
const clientCounts = [16, 64, 128, 512]
const modes = ['vector', 'hybrid'] as const
const documentsAnUpsert = 10

type Figures = Record<string, number>
/** The two datastores of a version. */
type Stores = { directory: string; few: Stored; many: Stored }

const { documents, queries } = readCollection(folder)
const asked = queries.map(({ text }) => text)
const questions = questionsOf(asked, documents, 2_000)
const texts = cutTexts(documents, fragments)

/** What a query takes in a small datastore and in a large one, in turns. */
async function measureSizes({ few, many }: Stores, mode: Mode): Promise<Figures> {
  const cells = [few, many].map((stored) => cellOf(contenderOf(stored, mode, questions, pace), 1))
  await takeTurns(cells, rounds)
  const [quick, slow] = cells.map((cell) => medianOf(cell, 'p50'))
  return { 'p50 ms, small': quick!, 'p50 ms, large': slow!, 'large / small': slow! / quick! }
}

/** What is left of the rate where there are too many clients, what they get, and what they cost. */
async function measureOverload(stored: Stored, mode: Mode): Promise<Figures> {
  const { target } = contenderOf(stored, mode, questions, pace)
  const load = (clients: number) => patientLoad(target, clients, pace)
  const cells = clientCounts.map((clients) => cellOf({ name: mode, load }, clients))
  const peak = await peakMemory(stored.service.pid, async () => {
    for (let round = 1; round <= rounds; round++) {
      for (const { measure, loads } of cells) loads.push(await measure())
    }
  })
  const rates = cells.map((cell) => medianOf(cell, 'rate'))
  const outcomes = cells.at(-1)!.loads.flatMap((one) => [...one.outcomes])
  const timesOf = (status: string) =>
    outcomes.flatMap(([one, some]) => (one === status ? some : []))
  const figures = new Map(
    clientCounts.map((count, n) => [`answers/s, ${count} clients`, rates[n]!]),
  )
  figures.set('the most / the best of fewer', rates.at(-1)! / Math.max(...rates.slice(0, -1)))
  for (const [status] of outcomes) figures.set(`${status} to the most`, timesOf(status).length)
  figures.set('p99 ms of 200', percentile(timesOf('200'), 0.99))
  figures.set('p99 ms of 503', percentile(timesOf('503'), 0.99))
  figures.set('longest 503, ms', percentile(timesOf('503'), 1))
  return Object.fromEntries(figures.set('MiB resident', peak))
}

let made = 0

/** One client asks while documents come in by the clock, and what is in is indexed. */
async function measureWriting(stored: Stored, mode: Mode, documentRate: number): Promise<Figures> {
  const { service, id } = stored
  const time = { seconds: building, warmUp: 0 }
  const newText = () => ({ text: `Note ${++made}. ${texts[(made * 7919) % texts.length]!.text}` })
  const upsert = () => {
    const some = Array.from({ length: documentsAnUpsert }, newText)
    return post(service, upsertPath(id), { documents: some })
  }
  const [read, written] = await Promise.all([
    contenderOf(stored, mode, questions, time).load(1),
    callLoad(upsert, 64, time, documentRate / documentsAnUpsert),
  ])
  return {
    'p50 ms of queries': read.p50,
    'p99 ms of queries': read.p99,
    'longest query, ms': read.max,
    'queries that failed': failuresOf(read),
    'documents/s': written.rate * documentsAnUpsert,
    'p99 ms of upserts': written.p99,
    'upserts that failed': failuresOf(written),
  }
}

/** On the same data: from when the server is started, and then from when it listens. */
async function measureStart(started: AsyncDisposableStack, { directory, many }: Stores) {
  await many.service.server.kill('SIGTERM')
  const began = performance.now()
  const service = await startService(started, many.service, directory)
  const listening = performance.now()
  await retrievalOf({ ...many, service }, 'hybrid').ask(questions[0]!, 10)
  return [service.name, listening - began, performance.now() - listening]
}

await runBench(async (data, started) => {
  const stores: Stores[] = []
  for (const version of versions) {
    const directory = join(data, version.name)
    const service = await startService(started, version, directory)
    const few = await storeTexts(service, cutTexts(documents, small))
    stores.push({ directory, few, many: await storeTexts(service, texts) })
  }
  const recallOf = await nearestRecall(texts, asked, 10)
  const retrievals = stores.map(({ many }) => retrievalOf(many, 'vector'))
  const recalls = (await askAll(retrievals, asked, 10)).map((answers, place) => {
    return [
      retrievals[place]!.name,
      mean(answers.map(({ numbers }, query) => recallOf(query, numbers))),
    ]
  })
  console.log(table([[`${texts.length} fragments`, 'recall@10'], ...recalls]))
  /** Versions take turns, and each has a column. */
  const report = async (title: string, measure: (one: Stores) => Promise<Figures>) => {
    const columns: Figures[] = []
    for (const one of stores) {
      await whenIdle(one.many.service.pid)
      columns.push(await measure(one))
    }
    const names = Object.keys(Object.assign({}, ...columns))
    const rows = names.map((name) => [name, ...columns.map((one) => one[name] ?? 0)])
    console.log(table([[title, ...versions.map(({ name }) => name)], ...rows]))
  }
  for (const mode of modes) {
    await report(`${mode}: one client`, (one) => measureSizes(one, mode))
    await report(`${mode}: many clients`, ({ many }) => measureOverload(many, mode))
  }
  for (const rate of [100, 300]) {
    for (const mode of modes) {
      const title = `${mode}: one client beside ${rate} documents/s`
      await report(title, ({ many }) => measureWriting(many, mode, rate))
    }
  }
  const starts: Cell[][] = [['after a start', 'ms until it listens', 'first hybrid answer, ms']]
  for (const one of stores) starts.push(await measureStart(started, one))
  console.log(table(starts), circumstances())
})
