/**
 * `npm run bench:bulk -- DIR`: what clients of hybrid queries get in steps of five seconds, from the first
 * upsert of a bulk load until a minute after the last, beside what they get at rest; and what the load takes
 * with and without them.
 */
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readCollection } from './collection.ts'
import { percentile } from './metrics.ts'
import { whenIdle } from './processes.ts'
import { argumentsOf, runBench } from './run.ts'
import { newDatastore, post, type Service, startService, upsertPath } from './service.ts'
import { type Cell, circumstances, table } from './table.ts'
import { cutTexts, questionsOf } from './texts.ts'

const defaults = { folder: '', fragments: 100_000, clients: 16, after: 60, upsert: 500 }
const { versions, folder, fragments, clients, after, upsert } = argumentsOf(defaults)
const secondsAStep = 5
const secondsAtRest = 20

const { documents, queries } = readCollection(folder)
const questions = questionsOf(
  queries.map(({ text }) => text),
  documents,
  2_000,
)
const texts = cutTexts(documents, fragments).map(({ text }) => ({ text }))

/** `second` counts from the first question to the answer. */
type Answered = { second: number; milliseconds: number }

/** @returns documents a second */
async function load(service: Service, id: string): Promise<number> {
  const began = performance.now()
  for (let start = 0; start < texts.length; start += upsert) {
    await post(service, upsertPath(id), { documents: texts.slice(start, start + upsert) })
  }
  return texts.length / ((performance.now() - began) / 1_000)
}

/** Clients that ask one question after the other until the work is done and `more` seconds have passed. */
async function askBeside(service: Service, id: string, work: () => Promise<unknown>, more: number) {
  const answers: Answered[] = []
  const began = performance.now()
  let [isDone, asked, failed] = [false, 0, 0]
  const ask = async () => {
    while (!isDone) {
      const sent = performance.now()
      const query = questions[asked++ % questions.length]
      const body = { query, topK: 10, mode: 'hybrid' }
      const isAnswered = await post(service, `/datastores/${id}/query`, body).then(
        () => true,
        () => false,
      )
      if (!isAnswered) failed += 1
      else
        answers.push({
          second: (performance.now() - began) / 1_000,
          milliseconds: performance.now() - sent,
        })
    }
  }
  const asking = Promise.all(Array.from({ length: clients }, ask))
  await work()
  const worked = (performance.now() - began) / 1_000
  await setTimeout(more * 1_000)
  isDone = true
  await asking
  return { answers, worked, failed }
}

await runBench(async (data, started) => {
  for (const version of versions) {
    const service = await startService(started, version, join(data, version.name))
    const quiet = await newDatastore(service)
    const rateAlone = await load(service, quiet)
    await whenIdle(service.pid)
    const quietly = await askBeside(service, quiet, async () => {}, secondsAtRest)
    const rateAtRest = quietly.answers.length / secondsAtRest
    const id = await newDatastore(service)
    let rate = 0
    const loadIt = async () => (rate = await load(service, id))
    const { answers, worked, failed } = await askBeside(service, id, loadIt, after)
    const steps = Array.from({ length: Math.floor((worked + after) / secondsAStep) }, (_, step) => {
      const start = step * secondsAStep
      const times = answers
        .filter(({ second }) => second >= start && second < start + secondsAStep)
        .map(({ milliseconds }) => milliseconds)
      return { start, rate: times.length / secondsAStep, p99: percentile(times, 0.99) }
    })
    const rows = steps.map(({ start, rate: answered, p99 }): Cell[] => {
      return [start < worked ? 'load' : 'after', start, answered, answered / rateAtRest, p99]
    })
    console.log(table([[version.name, 'second', 'answers/s', 'of rest', 'p99 ms'], ...rows]))
    const least = Math.min(...steps.map(({ rate: answered }) => answered / rateAtRest))
    const figures: Cell[][] = [
      [version.name, ''],
      ['answers/s at rest', rateAtRest],
      ['least of rest in a step', least],
      ['failed', failed],
      ['documents/s alone', rateAlone],
      ['documents/s beside queries', rate],
    ]
    console.log(table(figures))
    await service.server.kill('SIGTERM')
  }
  console.log(circumstances())
})
