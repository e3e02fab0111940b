/**
 * `npm run bench:fairness`: nine workspaces ask steadily, alone and while a tenth floods one resource after
 * the other: how many of their requests are refused, and their p99.
 */
import { join } from 'node:path'
import { type Flood, floods, openWorkspace, type Workspace } from './floods.ts'
import { callLoad, failuresOf, type Load } from './load.ts'
import { peakMemory } from './processes.ts'
import { argumentsOf, runBench } from './run.ts'
import { type Service, startService } from './service.ts'
import { type Cell, circumstances, table } from './table.ts'

const { versions, seconds, flood: only } = argumentsOf({ seconds: 10, flood: 'all' })
const pace = { seconds, warmUp: 2 }
const calmWorkspaces = 9
const callers = 64

/** The steady requests of all workspaces, one after the other. */
function steady(workspaces: Workspace[], { ask, perSecond }: Flood): Promise<Load> {
  let sent = 0
  const call = async () => {
    const workspace = workspaces[sent % workspaces.length]!
    const { path, method = 'POST', type, body = null } = ask(workspace, sent++)
    const { url } = workspace
    const headers = { ...workspace.headers, ...(type && { 'Content-Type': type }) }
    const answer = await fetch(url + path, { method, headers, body })
    await answer.text()
    if (!answer.ok) throw new Error(String(answer.status))
  }
  return callLoad(call, callers, pace, perSecond)
}

async function measure(service: Service, flood: Flood): Promise<Cell[]> {
  const names = Array.from({ length: calmWorkspaces }, (_, n) => `calm-${n}`)
  const calm = await Promise.all(names.map((name) => openWorkspace(service, name)))
  const flooding = await openWorkspace(service, 'flood')
  const alone = await steady(calm, flood)
  let beside = alone
  const memory = await peakMemory(service.pid, async () => {
    const [load] = await Promise.all([steady(calm, flood), flood.flood(flooding, pace)])
    beside = load
  })
  const refused = failuresOf(alone) + failuresOf(beside)
  return [refused, alone.p99, beside.p99, beside.p99 / alone.p99, memory]
}

await runBench(async (data, started) => {
  const head = ['', 'refused', 'p99 alone, ms', 'p99 beside, ms', 'ratio', 'peak MiB']
  const rows: Cell[][] = [head]
  for (const flood of floods.filter(({ name }) => [name, 'all'].includes(only))) {
    for (const version of versions) {
      // A server of its own, because one flood may go on after the measurement.
      const directory = join(data, `${version.name}-${flood.name}`)
      const service = await startService(started, version, directory)
      rows.push([`${version.name}: ${flood.name}`, ...(await measure(service, flood))])
      await service.server.kill('SIGKILL')
    }
  }
  console.log(table(rows), circumstances())
})
