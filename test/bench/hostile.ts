import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../support/contract.ts'
import type { BystanderJob } from './bystander.ts'
import { type Kind, kinds } from './hostile-requests.ts'
import { makeTarget, processorTime, sendTo, type Target, timesOf } from './hostile-target.ts'
import type { JobProcess } from './job-process.ts'
import { runBench } from './run-bench.ts'
import { startJobs, startServer } from './start.ts'
import { aligned } from './table.ts'

/**
 * What hostile requests cost: processor time each, and the longest that somebody else then waits for a
 * sign of life. Run by `npm run bench:hostile -- [--service DIR]`, with another checkout to compare with.
 */

const key = 'a-key-of-the-bench-0123456789abcdef'
const tries = 1_000

const { values } = parseArgs({ options: { service: { type: 'string' } } })
const services = [...(values.service ? [resolve(values.service)] : []), root]

/** Of a server that goes meanwhile there is nothing to tell. */
async function measure(
  target: Target,
  { name, count, status, bytes }: Kind,
  bystander: JobProcess,
) {
  const request = bytes(target)
  const watch = (job: BystanderJob) => bystander.run<number>(job)
  const before = processorTime(target.server)
  await watch({ url: target.server.url })
  for (let index = 0; index < count; index++) {
    const answered = await sendTo(target, request)
    if (answered !== (status ?? answered)) throw new Error(`${name}: ${answered}`)
  }
  const stall = await watch({ stop: true })
  if (stall === Infinity) return ['gone', 'gone']
  return [((processorTime(target.server) - before) / count).toFixed(1), stall.toFixed(0)]
}

const percentiles = (times: number[]): string => {
  const sorted = times.toSorted((a, b) => a - b)
  return [0.1, 0.5, 0.9]
    .map((share) => sorted[Math.floor(share * sorted.length)]!.toFixed(2))
    .join(' ')
}

await runBench('hostile', async (data, started) => {
  const bystander = await startJobs(started, 'bystander.ts')
  let servers = 0
  const onServer = async <T>(service: string, work: (target: Target) => Promise<T>): Promise<T> => {
    const directory = join(data, String(servers++))
    const server = await startServer(started, directory, key, { service })
    const result = await work(await makeTarget(server, key))
    await server.kill('SIGKILL')
    return result
  }
  const columns = services.flatMap((service) => [`ms each, ${service}`, 'longest stall, ms'])
  const rows = [['', ...columns]]
  for (const kind of kinds) {
    const cells: string[] = []
    for (const service of services) {
      cells.push(...(await onServer(service, (target) => measure(target, kind, bystander))))
    }
    rows.push([kind.name, ...cells])
  }
  console.log(aligned(rows))
  for (const service of services) {
    const { foreign, unknown } = await onServer(service, (target) => timesOf(target, tries))
    console.log(`${service}: 404s of ids of another workspace and of nobody, p10, p50 and p90 ms:`)
    console.log(`${percentiles(foreign)}, ${percentiles(unknown)}`)
  }
})
