import { setImmediate } from 'node:timers/promises'

// The event loop takes one new connection a turn, and the last of a flood would wait for seconds. So work
// waits while many connections come.
const maxConnections = 8
const maxTurns = 64

let arrived = 0
let calm: Promise<void> | undefined
let line: Promise<void> | undefined

export function connectionCame(): void {
  arrived += 1
}

export async function whenCalm(): Promise<void> {
  if (arrived > maxConnections) calm ??= turnsPass().finally(() => (calm = undefined))
  await calm
}

/** Lets one caller go on in each turn of the event loop, so that new requests are read between. */
export function nextTurn(): Promise<void> {
  const mine = line ?? whenCalm()
  const next = mine.then(() => setImmediate()).then(whenCalm)
  line = next
  void next.then(() => {
    if (line === next) line = undefined
  })
  return mine
}

async function turnsPass(): Promise<void> {
  await setImmediate()
  for (let turn = 0; turn < maxTurns && arrived > 0; turn++) {
    arrived = 0
    await setImmediate()
  }
}
