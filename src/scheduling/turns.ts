import { setImmediate } from 'node:timers/promises'

/**
 * The event loop takes one new connection in each of its turns, however many wait (libuv). Beside
 * hybrid queries, which worked it for some milliseconds in each, the last of 512 made at once was taken
 * after 0.8 to 2 s. So work waits while more than a few come, but not for all of a flood.
 */
const few = 8
const mostTurns = 64

/** How many connections arrived since somebody waited for that. */
let arrived = 0
/** Settles when none comes any more, for all who wait for that. */
let calm: Promise<void> | undefined
/** Settles when the next may go on; undefined where that is now. */
let line: Promise<void> | undefined

/** To be called for each new connection. */
export function connectionCame(): void {
  arrived += 1
}

/** Settles at once where no more than a few connections came. */
export async function whenCalm(): Promise<void> {
  if (arrived > few) calm ??= turnsPass().finally(() => (calm = undefined))
  await calm
}

/**
 * Lets one after the other go on, each in a turn of the event loop of its own, so that all requests
 * that have come are looked at before more than one of them is worked on. The first goes on at once.
 */
export function nextTurn(): Promise<void> {
  const mine = line ?? whenCalm()
  const next = mine.then(() => setImmediate()).then(whenCalm)
  line = next
  void next.then(() => {
    if (line === next) line = undefined
  })
  return mine
}

/** One turn, and more while connections come. */
async function turnsPass(): Promise<void> {
  // At the end of this turn, so that what is awaited from here on are whole ones.
  await setImmediate()
  for (let turn = 0; turn < mostTurns && arrived > 0; turn++) {
    arrived = 0
    await setImmediate()
  }
}
