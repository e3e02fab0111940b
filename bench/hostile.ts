/**
 * `npm run bench:hostile`: what hostile requests cost beside an honest one: processor time each, that of the
 * event loop's longest turn, and the longest that somebody else then waits for a sign of life.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { limitKinds } from './hostile-limits.ts'
import { type Kind, type Sent, wildKinds } from './hostile-requests.ts'
import { processorTime } from './processes.ts'
import { argumentsOf, runBench } from './run.ts'
import { type Service, startService } from './service.ts'
import { type Cell, circumstances, table } from './table.ts'

const { versions, only } = argumentsOf({ only: '.' })
const kinds = [...wildKinds, ...limitKinds].filter(({ name }) => new RegExp(only).test(name))
const pauseMilliseconds = 5
const probe = ['--import', join(import.meta.dirname, 'turn-probe.ts')]

/** The status, processor milliseconds of each, the longest turn and stall; nothing of a server that goes. */
async function measure(service: Service, { count, make }: Kind): Promise<Cell[]> {
  const request = await make(service)
  await longestTurn(service)
  const before = processorTime(service.pid)
  const stop = watch(service.url)
  const statuses: number[] = []
  for (let sent = 0; sent < count; sent++) statuses.push(await send(service.url, request))
  const stall = await stop()
  const time = (processorTime(service.pid) - before) / count
  if (stall === Infinity) return [statuses[0] || 'closed', 'gone', 'gone', 'gone']
  return [statuses[0] || 'closed', time, await longestTurn(service), stall]
}

/** Since it was asked before, in processor milliseconds. */
async function longestTurn({ server }: Service): Promise<number> {
  server.process.send('')
  const [milliseconds] = await once(server.process, 'message')
  return milliseconds
}

/** Asks for a sign of life repeatedly. Returns the longest wait for one when it is stopped. */
function watch(url: string): () => Promise<number> {
  let [longest, isStopped] = [0, false]
  const watching = (async () => {
    while (!isStopped) {
      longest = Math.max(longest, await signOfLife(url))
      await setTimeout(pauseMilliseconds)
    }
  })()
  return async () => {
    isStopped = true
    await watching
    return longest
  }
}

/** Who is not answered at all waits for ever. */
async function signOfLife(url: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(`${url}/health/live`).catch(() => undefined)
  return (await answer?.text()) === undefined ? Infinity : performance.now() - began
}

/** The status of the answer; 0 where who is refused on the way finds the connection closed. */
const send = (url: string, { path, method, body, headers }: Sent): Promise<number> =>
  fetch(url + path, body ? { method: method ?? 'POST', body, headers } : { method, headers })
    .then((answer) => answer.text().then(() => answer.status))
    .catch(() => 0)

await runBench(async (data, started) => {
  const head = versions.flatMap(({ name }) => [
    name,
    'ms each',
    'longest turn, ms',
    'longest stall, ms',
  ])
  const rows: Cell[][] = [['', ...head]]
  for (const [place, kind] of kinds.entries()) {
    const row: Cell[] = [kind.name]
    for (const version of versions) {
      // A server of its own, because a request may leave the server in a worse state.
      const service = await startService(
        started,
        version,
        join(data, `${version.name}-${place}`),
        probe,
      )
      row.push(...(await measure(service, kind)))
      await service.server.kill('SIGKILL')
    }
    rows.push(row)
    console.error(
      row.map((cell) => (typeof cell === 'number' ? Math.round(cell) : cell)).join(' | '),
    )
  }
  console.log(table(rows), circumstances())
})
