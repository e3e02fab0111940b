import { setImmediate } from 'node:timers/promises'

type Line = { running: number; waiting: (() => void)[] }

/** Lets `max` run at once, in turns of the workspaces. One that holds all other slots does not get the last. */
export class FairSemaphore {
  readonly #max: number
  readonly #maxOfOne: number
  #running = 0
  /** In the order of service. A served workspace goes to the end. */
  readonly #lines = new Map<string, Line>()

  constructor(max: number) {
    this.#max = max
    this.#maxOfOne = Math.max(1, max - 1)
  }

  async run<T>(workspace: string, work: () => Promise<T>): Promise<T> {
    await this.enter(workspace)
    try {
      return await work()
    } finally {
      this.leave(workspace)
    }
  }

  enter(workspace: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const line = this.#lines.get(workspace)
    if (line) line.waiting.push(resolve)
    else this.#lines.set(workspace, { running: 0, waiting: [resolve] })
    this.#serve()
    return promise
  }

  leave(workspace: string): void {
    const line = this.#lines.get(workspace)!
    this.#running -= 1
    line.running -= 1
    if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(workspace)
    this.#serve()
  }

  #serve(): void {
    if (this.#running === this.#max) return
    const next = this.#lines.entries().find(([, line]) => this.#isDue(line))
    if (!next) return
    const [workspace, line] = next
    this.#lines.delete(workspace)
    this.#lines.set(workspace, line)
    this.#running += 1
    line.running += 1
    line.waiting.shift()!()
  }

  #isDue({ running, waiting }: Line): boolean {
    return waiting.length > 0 && running < this.#maxOfOne
  }
}

/** A workspace may hold as much as it leaves free: one alone takes half, two take a third each. */
export class SharedBudget {
  readonly #max: number
  readonly #heldBy = new Map<string, number>()
  #held = 0

  constructor(max: number) {
    this.#max = max
  }

  get held(): number {
    return this.#held
  }

  heldBy(workspace: string): number {
    return this.#heldBy.get(workspace) ?? 0
  }

  /** How much more a workspace may take; negative if others came meanwhile. */
  leftFor(workspace: string): number {
    return (this.#leftOver() - this.heldBy(workspace)) / 2
  }

  /** Whether nobody may take so much, not even a workspace that holds nothing. */
  isFull(amount: number): boolean {
    return this.#leftOver() / 2 < amount
  }

  take(workspace: string, amount: number): void {
    this.#held += amount
    this.#heldBy.set(workspace, this.heldBy(workspace) + amount)
  }

  release(workspace: string, amount: number): void {
    this.#held -= amount
    const left = this.heldBy(workspace) - amount
    if (left > 0) this.#heldBy.set(workspace, left)
    else this.#heldBy.delete(workspace)
  }

  #leftOver(): number {
    return this.#max - this.#held
  }
}

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
export async function concatenated(pieces: Uint8Array[]): Promise<Buffer> {
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
