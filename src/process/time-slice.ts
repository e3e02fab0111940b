import { setImmediate, setTimeout } from 'node:timers/promises'

const sliceMilliseconds = 4

/** Long work awaits `pause` between its steps, so that other requests get their turn on the event loop. */
export class TimeSlice {
  #end = performance.now() + sliceMilliseconds

  pause(): Promise<void> | undefined {
    return performance.now() < this.#end ? undefined : this.#letOthers()
  }

  async #letOthers(): Promise<void> {
    await this.othersTurn()
    this.#end = performance.now() + sliceMilliseconds
  }

  protected async othersTurn(): Promise<void> {
    await setImmediate()
  }
}

let searches = 0

/** Runs a search, which large writes leave time. */
export async function searching<T>(search: () => Promise<T>): Promise<T> {
  searches += 1
  try {
    return await search()
  } finally {
    searches -= 1
  }
}

/** From one slice of any write to the next, while something is searched. */
const writePauseMilliseconds = 20
/** Then a step of a write goes on as if nothing were searched, so that the write ends in time. */
const maxWriteWaitMilliseconds = 5_000
let nextWriteSlice = 0

/** As `TimeSlice`, for writes. Searches get most of the event loop, because somebody waits for each. */
export class WriteSlice extends TimeSlice {
  #waited = 0

  protected override async othersTurn(): Promise<void> {
    if (searches === 0 || this.#waited > maxWriteWaitMilliseconds) return super.othersTurn()
    const now = performance.now()
    nextWriteSlice = Math.max(now, nextWriteSlice) + writePauseMilliseconds
    this.#waited += nextWriteSlice - now
    await setTimeout(nextWriteSlice - now)
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
