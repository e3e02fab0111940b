import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Stored } from './record-rows.ts'
import type { Records } from './records.ts'

/** How often the holder shows that it is at work. */
const beatMilliseconds = 2_000
/** A holder that has shown no beat for so long is taken for dead. */
const patienceMilliseconds = 30_000
const pollMilliseconds = 500

/** A record that exists while somebody holds the lease. */
export type Lease<T extends object> = { records: Records<T>; id: string; value: T }

/**
 * Does work that one server at a time may do. Clocks are not compared: others watch the revision rise.
 * @param work its signal is aborted when the lease is lost, to another server or with the store
 */
export async function withLease<T extends object>(
  { records, id, value }: Lease<T>,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lease = { records, id, value: { ...value, holder: randomUUID() } }
  const lost = new AbortController()
  let held = await take(lease)
  const beat = async () => {
    const next = lost.signal.aborted ? undefined : await renewed(lease, held)
    if (next) held = next
    else lost.abort(new Error('Another server has taken over the work of this one.'))
  }
  let beating = Promise.resolve()
  const timer = setInterval(() => {
    beating = beating.then(beat).catch((error: unknown) => lost.abort(error))
  }, beatMilliseconds)
  try {
    await work(lost.signal)
  } finally {
    clearInterval(timer)
    await beating
    await records.remove(held)
  }
}

const renewed = <T extends object>({ records, value }: Lease<T>, held: Stored<T>) =>
  records.replace(held, value, { isSmall: true })

async function take<T extends object>(lease: Lease<T>): Promise<Stored<T>> {
  const { records, id, value } = lease
  let seen = { beat: '', since: 0 }
  for (;;) {
    const made = await records.insert(id, 'service', value)
    if (made) return made
    const held = await records.get(id)
    const beat = `${held?.createdAt} ${held?.rev}`
    if (beat !== seen.beat) seen = { beat, since: performance.now() }
    else if (held && performance.now() - seen.since > patienceMilliseconds) {
      const taken = await renewed(lease, held)
      if (taken) return taken
    }
    await pause(pollMilliseconds)
  }
}
