import { fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Job } from './job.ts'
import { makeScratch, removeScratch } from './scratch.ts'
import { priorityAfter } from './thread-priority.ts'

export type Order = { uri: string; table: string; job: Job }
export type JobOutcome = { error?: string }

const file = join(import.meta.dirname, 'job-main.ts')

/** @param after as in `os.setPriority` @throws the job's error, or that the process ended too early */
export async function runInProcess(
  { after, ...order }: Order & { after: number },
  signal: AbortSignal,
): Promise<void> {
  const scratch = makeScratch(order.uri)
  try {
    const { error } = await outcomeOf(order, scratch, after, signal)
    if (error !== undefined) throw new Error(error)
  } finally {
    removeScratch(scratch)
  }
}

function outcomeOf(
  order: Order,
  scratch: string,
  after: number,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<JobOutcome>()
  const options = { execArgv: [], signal, killSignal: 'SIGKILL' as const }
  const child = fork(file, [scratch], { ...options, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  lower(child.pid, after)
  let outcome: JobOutcome = { error: 'The process for it ended.' }
  child.on('message', (message: JobOutcome) => (outcome = message))
  child.on('error', reject)
  child.on('close', () => resolve(outcome))
  // A child that could not be started has no channel, and reports it by `error`.
  if (child.connected) {
    child.send(order, (error) => {
      if (error) child.kill('SIGKILL')
    })
  }
  child.unref()
  child.channel?.unref()
  return promise
}

/** Threads inherit their priority, so it is set before there are any. */
function lower(pid: number | undefined, after: number): void {
  try {
    if (pid !== undefined) setPriority(pid, priorityAfter(after))
  } catch {
    // The child ended at once, or the system forbids it.
  }
}
