/**
 * The process for chores; what started it gives it the place of the tables, a folder for passing files,
 * and then orders.
 */
import { connect, Session } from '@lancedb/lancedb'
import { inspect } from 'node:util'
import type { Order, Outcome } from './chore-child.ts'
import { doChore } from './chores.ts'
import { removeScratch } from './scratch.ts'

/** Hardly anything is read twice. */
const cacheBytes = 32n * 1024n * 1024n

const [uri = '', scratch] = process.argv.slice(2)
// LanceDB makes a folder there for each session, and more for some indexes.
if (scratch !== undefined) process.env.TMPDIR = process.env.TEMP = process.env.TMP = scratch

// What a terminal sends goes to both; the other one says when to end.
process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined)
// The store is somebody else's from now on.
process.on('disconnect', () => {
  if (scratch !== undefined) removeScratch(scratch)
  process.kill(process.pid, 'SIGKILL')
})

process.on('message', (order: Order) => {
  void carryOut(order).then((outcome) => process.send!(outcome))
})

async function carryOut({ id, table: name, chore }: Order): Promise<Outcome> {
  try {
    // What one has read of indexes is of no use to the next.
    const connection = await connect(uri, { session: new Session(cacheBytes, cacheBytes) })
    const table = await connection.openTable(name)
    try {
      await doChore(table, chore)
      return { id }
    } finally {
      table.close()
      connection.close()
    }
  } catch (error) {
    return { id, error: inspect(error) }
  }
}
