import { setImmediate } from 'node:timers/promises'

/**
 * The event loop takes one new connection in each of its turns, however many wait (libuv since 1.45).
 * Beside hybrid queries, which worked it for some milliseconds in each turn, the last of 512 made at
 * once was taken after 0.8 to 2 s. So work waits while connections come, but not for all of a flood.
 */
const mostTurns = 64

let hasCome = false
let last: Promise<void> = Promise.resolve()

/** To be called for each new connection. */
export function connectionCame(): void {
  hasCome = true
}

/** Settles at once where no connections are coming. */
export async function whenNoneComes(): Promise<void> {
  if (hasCome) await nextTurn()
}

/**
 * Lets one after the other go on, each in a turn of the event loop of its own, so that all requests
 * that have come are looked at before the first of them is worked on.
 */
export function nextTurn(): Promise<void> {
  last = last.then(async () => {
    // At the end of this turn, so that what is awaited from here on are whole ones.
    await setImmediate()
    for (let turn = 0; turn < mostTurns && hasCome; turn++) {
      hasCome = false
      await setImmediate()
    }
  })
  return last
}
