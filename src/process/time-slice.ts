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

/** Joins the pieces, copied in steps, because copying a large body at once blocks the event loop. */
export async function joined(pieces: Uint8Array[]): Promise<Buffer> {
  const [first = Buffer.alloc(0), ...others] = pieces
  if (others.length === 0) return Buffer.from(first.buffer, first.byteOffset, first.byteLength)
  const whole = Buffer.allocUnsafe(pieces.reduce((sum, { length }) => sum + length, 0))
  const slice = new TimeSlice()
  whole.set(first)
  let end = first.length
  for (const piece of others) {
    await slice.pause()
    whole.set(piece, end)
    end += piece.length
  }
  return whole
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
