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
