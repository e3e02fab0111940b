import { fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { Mutex } from 'async-mutex'
import { makeScratch, removeScratch } from '../../process/scratch.ts'
import type { Leftovers } from '../disk/leftovers.ts'
import { doJob, type Job } from './job.ts'
import type { OpenTable } from './open-table.ts'
import { searchesAfter, priorityAfter } from './thread-priority.ts'

/** Another process works on larger tables. Its memory is freed when it ends. */
const maxRowsHere = 10_000

/** Otherwise a server that often ends during a compaction would do nothing else, with a second copy on the disk. */
const restAfterInterruption = 10 * 60 * 1_000

/** Searches wait for the index of words, because each reads the rows that it lacks. */
const placeAfter = { words: searchesAfter - 3, compact: searchesAfter, index: searchesAfter + 5 }

type JobTable = Pick<OpenTable, 'name' | 'rows' | 'open' | 'removeLeftovers' | 'removeReplaced'> & {
  leftovers: Pick<Leftovers, 'interruptedAt' | 'markBegun' | 'markDone'> | undefined
}

export class Jobs {
  readonly #uri: string
  readonly #closed = new AbortController()
  readonly #mutexes = {
    here: new Mutex(),
    words: new Mutex(),
    compact: new Mutex(),
    index: new Mutex(),
  }

  constructor(uri: string) {
    this.#uri = uri
  }

  /** Held during a job: one at a time in this process, and one of each kind in others. */
  mutexOf(table: JobTable, kind: Job['kind']): Mutex {
    return this.#mutexes[isHere(table) ? 'here' : kind]
  }

  /** How long to leave a large table alone whose job ended with an earlier process, in ms. */
  async restOf(table: JobTable): Promise<number> {
    const began = isHere(table) ? undefined : await table.leftovers?.interruptedAt()
    if (began === undefined) return 0
    return Math.max(0, restAfterInterruption - Math.abs(Date.now() - began))
  }

  /** Removes the leftovers of a job that fails. The next start removes those of a process that ended. */
  async run(table: JobTable, job: Job): Promise<void> {
    const { signal } = this.#closed
    signal.throwIfAborted()
    const wasInterrupted = await table.leftovers?.markBegun()
    try {
      await this.#do(table, job, signal)
      await this.#done(table, wasInterrupted)
    } catch (error) {
      if (!signal.aborted) await this.#done(table, true).catch(() => undefined)
      throw error
    }
  }

  /** A large table is on the disk twice only during its compaction. */
  async removeReplaced(table: JobTable): Promise<void> {
    if (!isHere(table)) await table.removeReplaced(this.#closed.signal)
  }

  /** If a version is torn, leftovers may stay for a later job to remove. */
  async #done(table: JobTable, isSomethingLeft = false): Promise<void> {
    const { signal } = this.#closed
    if (!isSomethingLeft || (await table.removeLeftovers(signal))) await table.leftovers?.markDone()
  }

  #do(table: JobTable, job: Job, signal: AbortSignal): Promise<void> {
    if (isHere(table)) return doHere(table, job)
    const order = { uri: this.#uri, table: table.name, job }
    return runInProcess({ ...order, after: placeAfter[job.kind] }, signal)
  }

  /** Begins no more jobs, and kills those in other processes, which harms nothing. */
  close(): void {
    this.#closed.abort(new Error('The store is closed.'))
  }
}

const isHere = ({ rows }: Pick<JobTable, 'rows'>): boolean => rows <= maxRowsHere

async function doHere(table: JobTable, job: Job): Promise<void> {
  const lance = await table.open()
  try {
    await doJob(lance, job)
  } finally {
    lance.close()
  }
}

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
