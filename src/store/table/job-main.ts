/** The process of one job: started with a folder for temporary files, then sent an `Order`. */
import { connect, Session } from '@lancedb/lancedb'
import { inspect } from 'node:util'
import type { Order, JobOutcome } from './jobs.ts'
import { doJob } from './job.ts'
import { removeScratch } from '../../process/scratch.ts'

const cacheBytes = 32n * 1024n * 1024n

const [, , scratch = ''] = process.argv
process.env.TMPDIR = process.env.TEMP = process.env.TMP = scratch

// A terminal sends these to both processes; the other one says when to end.
process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined)
// Without its owner, another process may open the store.
process.on('disconnect', () => {
  removeScratch(scratch)
  process.kill(process.pid, 'SIGKILL')
})

process.once('message', (order: Order) => {
  void runJob(order).then((outcome) => process.send!(outcome, () => process.exit()))
})

async function runJob({ uri, table: name, job }: Order): Promise<JobOutcome> {
  try {
    const connection = await connect(uri, { session: new Session(cacheBytes, cacheBytes) })
    await doJob(await connection.openTable(name), job)
    return {}
  } catch (error) {
    return { error: inspect(error) }
  }
}
