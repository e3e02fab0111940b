import { spawn } from 'node:child_process'
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
 * Not for where the time of all processes is bounded together, for theirs counts too. And where the
 * processors are full anyway it costs: none of them ever looks idle, so that Linux is slower to give it
 * a thread that waits for the other. Of 512 clients' queries by vector 1,097 a second were answered
 * with it and 1,204 without, and the event loop stood still for over 30 ms 23 times and 9 times in 50 s.
 *
 * @throws where there is no `chrt`, as on other systems than Linux
 */
export async function keepAwake(started: Started): Promise<void> {
  for (let processor = 0; processor < availableParallelism(); processor++) {
    const command = ['-i', '0', process.execPath, spinner, String(process.pid)]
    const child = spawn('chrt', command, { stdio: ['ignore', 'pipe', 'inherit'] })
    const spins = once(child.stdout, 'data')
    const failed = once(child, 'exit').then(() => {
      throw new Error('chrt could not start what keeps the processors awake.')
    })
    await Promise.race([spins, failed])
    await started.add(async () => void child.kill('SIGKILL'))
    // It ends with this process, which need not wait for it.
    child.unref()
    child.stdout.destroy()
  }
}
