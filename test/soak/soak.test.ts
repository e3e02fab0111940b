import { setTimeout as pause } from 'node:timers/promises'
import { quantile } from 'simple-statistics'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeDatastore, makeLearnedAgent, putDocument } from '../support/things.ts'
import { Random } from '../support/random.ts'
import { checkedClient, temporaryDirectory, testKey } from '../support/server.ts'
import { spawnServer } from '../support/server-process.ts'
import { requests, type Things } from './requests.ts'
import { type Measure, riseOf, type Sample, sampleOf } from './samples.ts'

const seconds = Number(process.env.SOAK_SECONDS ?? 0)
const rate = Number(process.env.SOAK_RATE ?? 4)
const maxAtOnce = 8
const secondsASample = Math.min(10, seconds / 30)
/** A young process grows while V8 compiles, so this many requests come before the first sample. */
const firstRequests = 400
const warmUp = 0.2
const [maxRise, maxSlower] = [0.05, 1.2]
/** Ten seconds of a short run hold too few answers for a p99. */
const isLong = seconds >= 600
/** What goes up and down by itself, in files and MiB; a share of small numbers says little. */
const swing = { descriptors: 8, rss: 16, disk: 16 }
const maxima = { descriptors: 100, rss: 600 }

type Answer = { second: number; milliseconds: number }

async function startSoak() {
  const dataUri = await temporaryDirectory()
  const settings = { DATA_URI: dataUri, INITIAL_KEY: testKey, LOG_LEVEL: 'warn' }
  const server = await spawnServer(settings, { hasChannel: false })
  onTestFinished(() => server.kill('SIGKILL'))
  const client = checkedClient(server.url)
  const { agent, datastore } = await makeLearnedAgent(client, [])
  await makeDatastore(client, 'empty')
  for (let n = 0; n < 80; n++)
    await putDocument(client, datastore, `document-${n}`, { text: `Text ${n}.` })
  const things: Things = { client, url: server.url, key: testKey, agent, datastore }
  return { server, dataUri, things }
}

/** Requests at an even rate, as far as the server keeps up, and what it holds meanwhile. */
async function soak({ server, dataUri, things }: Awaited<ReturnType<typeof startSoak>>) {
  const random = new Random(Number(process.env.SOAK_SEED ?? 1))
  for (let sent = 0; sent < firstRequests; sent += maxAtOnce)
    await Promise.all(
      Array.from({ length: maxAtOnce }, () => random.pick(requests)(things, random)),
    )
  const [samples, answers]: [Sample[], Answer[]] = [[], []]
  const running = new Set<Promise<void>>()
  const began = performance.now()
  const second = () => (performance.now() - began) / 1_000
  // Each answer is timed by itself, until its head comes, because some requests are a sequence as long as chance wants.
  const untimed = globalThis.fetch
  const timed = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    const at = performance.now()
    const response = await untimed(...request)
    answers.push({ second: second(), milliseconds: performance.now() - at })
    return response
  })
  onTestFinished(() => timed.mockRestore())
  const request = () => random.pick(requests)(things, random)
  for (let sent = 0; second() < seconds; sent++) {
    if (second() >= samples.length * secondsASample) {
      samples.push(sampleOf(server.process.pid!, dataUri, second()))
    }
    if (running.size >= maxAtOnce) await Promise.race(running)
    const sending = request().finally(() => running.delete(sending))
    running.add(sending)
    await pause(Math.max(0, (sent / rate - second()) * 1_000))
  }
  await Promise.all(running)
  return { samples, answers }
}

const p99 = (answers: Answer[], from: number, to: number): number =>
  quantile(
    answers.filter(({ second }) => second >= from && second < to).map((one) => one.milliseconds),
    0.99,
  )

test.runIf(seconds > 0)(
  'what a server holds stays the same under a mix of requests, and so does its speed',
  { timeout: (seconds + 600) * 1_000 },
  async () => {
    const run = await startSoak()
    const { samples, answers } = await soak(run)
    const settled = samples.filter(({ second }) => second >= seconds * warmUp)
    const measures = ['descriptors', 'rss', 'disk'] satisfies Measure[]
    const rows = measures.map((measure) => {
      const values = settled.map((sample) => Math.round(sample[measure]))
      const [min, max] = [Math.min(...values), Math.max(...values)]
      return {
        measure,
        first: values[0],
        last: values.at(-1),
        min,
        max,
        rise: riseOf(settled, measure),
      }
    })
    const [p99First, p99Last] = [
      p99(answers, 0, seconds / 6),
      p99(answers, (seconds * 5) / 6, seconds),
    ]
    console.table(rows)
    console.table([{ requests: answers.length, 'p99 first': p99First, 'p99 last': p99Last }])
    expect(run.server.errors()).toBe('')
    for (const { measure, first, max, rise } of rows) {
      const most = Math.max(maxRise * first!, swing[measure])
      expect(rise, `how much ${measure} rose`).toBeLessThan(most)
      expect(max, measure).toBeLessThan({ ...maxima, disk: Infinity }[measure])
    }
    if (isLong) expect(p99Last).toBeLessThan(p99First * maxSlower)
  },
)
