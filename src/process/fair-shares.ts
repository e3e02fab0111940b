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
