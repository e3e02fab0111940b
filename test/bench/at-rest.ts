import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { childrenOf } from './children.ts'

const pollMilliseconds = 500
/** Longer than what works in the background pauses between two turns, as long as those are short. */
const quietPolls = 12
/** A poll in which a process worked less than so many hundredths of a second was a quiet one. */
const quietTicks = 3
const mostPolls = 600

/**
 * Waits until the process and what it started have done hardly anything for six seconds: a server may go on making indexes
 * long after the last write was answered. Where the system does not tell, it returns at once.
 */
export async function atRest(pid: number): Promise<void> {
  let before = await ticksOf(pid)
  let quiet = 0
  for (let poll = 0; before !== undefined && quiet < quietPolls && poll < mostPolls; poll++) {
    await setTimeout(pollMilliseconds)
    const now = await ticksOf(pid)
    quiet = (now ?? 0) - before < quietTicks ? quiet + 1 : 0
    before = now
  }
}

/** The hundredths of a second that it and what it started have worked for. */
async function ticksOf(pid: number): Promise<number | undefined> {
  try {
    const own = ticksIn(await readFile(`/proc/${pid}/stat`, 'utf8'))
    const children = await Promise.all(childrenOf(pid).map((child) => ticksOf(child)))
    return children.reduce<number>((sum, ticks) => sum + (ticks ?? 0), own)
  } catch {
    return undefined
  }
}

function ticksIn(status: string): number {
  // Its name, in brackets, may hold blanks.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}
