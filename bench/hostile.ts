/**
 * `npm run bench:hostile`: what hostile requests cost beside an honest one: processor time each, and the
 * longest that somebody else then waits for a sign of life.
 */
import { join } from 'node:path'
import { type Kind, kinds, type Sent } from './hostile-requests.ts'
import { processorTime } from './processes.ts'
import { argumentsOf, runBench } from './run.ts'
import { newDatastore, type Service, startService } from './service.ts'
import { type Cell, circumstances, table } from './table.ts'

const { versions } = argumentsOf({})

/** The status, processor milliseconds of each, and the longest stall; nothing of a server that goes. */
async function measure(service: Service, { count, make }: Kind): Promise<Cell[]> {
  const request = make(await newDatastore(service))
  const before = processorTime(service.pid)
  const stop = watch(service.url)
  const statuses: number[] = []
  for (let sent = 0; sent < count; sent++) statuses.push(await send(service.url, request))
  const stall = await stop()
  const time = (processorTime(service.pid) - before) / count
  return [statuses[0] || 'closed', ...(stall === Infinity ? ['gone', 'gone'] : [time, stall])]
}

/** Asks for a sign of life by the clock, so that every stall is seen whole; stopped, it tells the longest. */
function watch(url: string): () => Promise<number> {
  const waits = [signOfLife(url)]
  const timer = setInterval(() => waits.push(signOfLife(url)), 10)
  return async () => {
    clearInterval(timer)
    return Math.max(...(await Promise.all(waits)))
  }
}

/** Who is not answered at all waits for ever. */
async function signOfLife(url: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(`${url}/health/live`).catch(() => undefined)
  return (await answer?.text()) === undefined ? Infinity : performance.now() - began
}

/** The status of the answer; 0 where who is refused on the way finds the connection closed. */
const send = (url: string, { path, body, headers }: Sent): Promise<number> =>
  fetch(url + path, body ? { method: 'POST', body, headers } : { headers })
    .then((answer) => answer.text().then(() => answer.status))
    .catch(() => 0)

await runBench(async (data, started) => {
  const head = versions.flatMap(({ name }) => [name, 'ms each', 'longest stall, ms'])
  const rows: Cell[][] = [['', ...head]]
  for (const [place, kind] of kinds.entries()) {
    const row: Cell[] = [kind.name]
    for (const version of versions) {
      // A server of its own, for one request may leave it worse off than it was.
      const service = await startService(started, version, join(data, `${version.name}-${place}`))
      row.push(...(await measure(service, kind)))
      await service.server.kill('SIGKILL')
    }
    rows.push(row)
  }
  console.log(table(rows), circumstances())
})
