/** Refused requests are told to return at different times, because refusals take time too. */
const maxReturnsPerSecond = 24
const maxRetrySeconds = 30

type Return = { second: number; count: number }

/** When the refused clients of each workspace are to come back. */
export class ReturnTimes {
  /** The second that the last ones were told, and how many of them. */
  readonly #last = new Map<string, Return>()

  secondsUntilReturn(workspace: string): number {
    const now = Math.floor(performance.now() / 1000)
    this.#forgetPast(now)
    const next = after(this.#last.get(workspace), now)
    this.#last.set(workspace, next)
    return next.second - now
  }

  #forgetPast(now: number): void {
    for (const [workspace, { second }] of this.#last) {
      if (second <= now) this.#last.delete(workspace)
    }
  }
}

function after(last: Return | undefined, now: number): Return {
  if (!last) return { second: now + 1, count: 1 }
  const { second, count } = last
  const isFull = count >= maxReturnsPerSecond && second < now + maxRetrySeconds
  return isFull ? { second: second + 1, count: 1 } : { second, count: count + 1 }
}
