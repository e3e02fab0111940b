/** The process for chores; what started it gives it the place of the tables, and then orders. */
import { connect, Session } from '@lancedb/lancedb'
import { constants, setPriority } from 'node:os'
import { inspect } from 'node:util'
import type { Order, Outcome } from './chore-process.ts'
import { doChore } from './chores.ts'

/** Hardly anything is read twice. */
const cacheBytes = 32n * 1024n * 1024n

const [uri = ''] = process.argv.slice(2)

// Lower than this it would hardly get anywhere beside a busy server, while writes wait for mergers.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

// What a terminal sends goes to both; the other one says when to end.
process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined)
// The store is somebody else's from now on.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

const connection = await connect(uri, {}, new Session(cacheBytes, cacheBytes))

process.on('message', (order: Order) => {
  void carryOut(order).then((outcome) => process.send!(outcome))
})

async function carryOut({ id, table: name, chore }: Order): Promise<Outcome> {
  try {
    const table = await connection.openTable(name)
    try {
      return { id, wasDue: await doChore(table, chore) }
    } finally {
      table.close()
    }
  } catch (error) {
    return { id, error: inspect(error) }
  }
}
