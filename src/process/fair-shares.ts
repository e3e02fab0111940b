import { setImmediate } from 'node:timers/promises'

type Queue = { running: number; waiting: (() => void)[] }

/** Lets `max` run at once, in turns of the workspaces. One that holds all other slots does not get the last. */
export class FairSemaphore {
  readonly #max: number
  readonly #maxOfOne: number
  #running = 0
  /** In the order of service. A served workspace goes to the end. */
  readonly #queues = new Map<string, Queue>()

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
    const queue = this.#queues.get(workspace)
    if (queue) queue.waiting.push(resolve)
    else this.#queues.set(workspace, { running: 0, waiting: [resolve] })
    this.#serve()
    return promise
  }

  leave(workspace: string): void {
    const queue = this.#queues.get(workspace)!
    this.#running -= 1
    queue.running -= 1
    if (queue.running === 0 && queue.waiting.length === 0) this.#queues.delete(workspace)
    this.#serve()
  }

  #serve(): void {
    if (this.#running === this.#max) return
    const next = this.#queues.entries().find(([, queue]) => this.#isDue(queue))
    if (!next) return
    const [workspace, queue] = next
    this.#queues.delete(workspace)
    this.#queues.set(workspace, queue)
    this.#running += 1
    queue.running += 1
    queue.waiting.shift()!()
  }

  #isDue({ running, waiting }: Queue): boolean {
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

// Work waits while many connect, because the event loop takes one new connection a turn.
const maxConnections = 8
const maxTurns = 64

let arrived = 0
let waiting: Promise<void> | undefined
const eventLoop = new FairSemaphore(1)

export function connectionCame(): void {
  arrived += 1
}

export async function whenFewConnect(): Promise<void> {
  if (arrived > maxConnections) waiting ??= turnsPass().finally(() => (waiting = undefined))
  await waiting
}

/** Lets one caller continue in each turn of the event loop, by workspace, so that new requests are read between. */
export async function nextTurn(workspace: string): Promise<void> {
  await eventLoop.enter(workspace)
  await whenFewConnect()
  void setImmediate().then(() => eventLoop.leave(workspace))
}

async function turnsPass(): Promise<void> {
  await setImmediate()
  for (let turn = 0; turn < maxTurns && arrived > 0; turn++) {
    arrived = 0
    await setImmediate()
  }
}
