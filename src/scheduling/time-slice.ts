import { setImmediate } from 'node:timers/promises'
import { FairSemaphore } from './fair-shares.ts'

const sliceMilliseconds = 4

/** Long work awaits `pause` between its steps, so that other requests get their turn on the event loop. */
export class TimeSlice {
  #end = performance.now() + sliceMilliseconds

  pause(): Promise<void> | undefined {
    return performance.now() < this.#end ? undefined : this.#letOthers()
  }

  async #letOthers(): Promise<void> {
    await setImmediate()
    this.#end = performance.now() + sliceMilliseconds
  }
}

// Work waits while many connect, because the event loop takes one new connection a turn.
const maxConnections = 8
const maxTurns = 64

let arrived = 0
let passing: Promise<void> | undefined
const line = new FairSemaphore(1)

export function connectionCame(): void {
  arrived += 1
}

export async function whenFewConnect(): Promise<void> {
  if (arrived > maxConnections) passing ??= turnsPass().finally(() => (passing = undefined))
  await passing
}

/** Lets one caller continue in each turn of the event loop, by workspace, so that new requests are read between. */
export async function nextTurn(workspace: string): Promise<void> {
  await line.enter(workspace)
  await whenFewConnect()
  void setImmediate().then(() => line.leave(workspace))
}

async function turnsPass(): Promise<void> {
  await setImmediate()
  for (let turn = 0; turn < maxTurns && arrived > 0; turn++) {
    arrived = 0
    await setImmediate()
  }
}
