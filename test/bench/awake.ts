import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Started } from './started.ts'

const spinner = join(import.meta.dirname, 'spinner.ts')

/**
 * Keeps the processors from sleeping until what was started is stopped, as booting with `idle=poll`
 * would: on each, a process spins that has it only where nobody else wants it (`SCHED_IDLE`). A virtual
 * machine's processor that slept waits for the host to wake it, which can cost more than what it is
 * woken for, and is told as time that others had.
 *
 * @returns whether they are kept awake: not where there is no `chrt`, as on other systems than Linux
 */
export async function keepAwake(started: Started): Promise<boolean> {
  const spinners = Array.from({ length: availableParallelism() }, () =>
    spawn('chrt', ['-i', '0', process.execPath, spinner, String(process.pid)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  await started.add(async () => spinners.forEach((child) => child.kill('SIGKILL')))
  const spinning = await Promise.all(spinners.map(isSpinning))
  return !spinning.includes(false)
}

async function isSpinning(child: ChildProcess): Promise<boolean> {
  const began = once(child.stdout!, 'data').then(() => true)
  const ended = once(child, 'exit').then(() => false)
  return Promise.race([began, ended]).catch(() => false)
}
