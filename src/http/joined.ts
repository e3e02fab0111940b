import { TimeSlice } from '../scheduling/time-slice.ts'

/** Joins the pieces, copied in steps, because copying a large body at once blocks the event loop. */
export async function joined(pieces: Buffer[]): Promise<Buffer> {
  const [first = Buffer.alloc(0), ...others] = pieces
  if (others.length === 0) return first
  const whole = Buffer.allocUnsafe(pieces.reduce((sum, { length }) => sum + length, 0))
  const slice = new TimeSlice()
  let end = first.copy(whole)
  for (const piece of others) {
    await slice.pause()
    end += piece.copy(whole, end)
  }
  return whole
}
