import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { childrenOf } from '../test/support/children.ts'

/** What is read of a process and of those it started, as a sum; nothing of one that is gone. */
function sumOf(pid: number, read: (process: string) => number): number {
  const values = [pid, ...childrenOf(pid)].map((one) => {
    try {
      return read(`/proc/${one}`)
    } catch {
      return 0
    }
  })
  return values.reduce((sum, value) => sum + value, 0)
}

/**
 * The most memory that a process and those it started had while `work` went on, in MiB. What they share, as the code
 * of Node.js, counts once.
 */
export async function peakMemory(pid: number, work: () => Promise<void>): Promise<number> {
  const share = (process: string) =>
    Number(/^Pss:\s*(\d+) kB$/m.exec(readFileSync(`${process}/smaps_rollup`, 'utf8'))?.[1] ?? 0) /
    1024
  let peak = 0
  const polling = setInterval(() => (peak = Math.max(peak, sumOf(pid, share))), 100)
  await work().finally(() => clearInterval(polling))
  return peak
}

/** What the processors spent so far on a process and those it started, in milliseconds. */
export const processorTime = (pid: number): number =>
  sumOf(pid, (process) =>
    readdirSync(`${process}/task`).reduce((sum, thread) => {
      const [time] = readFileSync(`${process}/task/${thread}/schedstat`, 'utf8').split(' ')
      return sum + Number(time) / 1e6
    }, 0),
  )

/**
 * Waits until a process and those it started have done hardly anything for six seconds, five minutes
 * at most: a server may go on making indexes long after the last write was answered.
 */
export async function whenIdle(pid: number): Promise<void> {
  let before = processorTime(pid)
  for (let quiet = 0, poll = 0; quiet < 12 && poll < 600; poll++) {
    await setTimeout(500)
    const now = processorTime(pid)
    quiet = Math.abs(now - before) < 30 ? quiet + 1 : 0
    before = now
  }
}
