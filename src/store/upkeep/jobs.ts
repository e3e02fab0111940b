import type { Table } from '@lancedb/lancedb'
import { Mutex } from 'async-mutex'
import type { Leftovers } from '../disk/leftovers.ts'
import { doJob, type Job } from './job.ts'
import { runInProcess } from './job-process.ts'
import { searchesAfter } from './thread-priority.ts'

/** Larger tables are worked on by another process, which takes its memory along as it ends. */
const maxRowsHere = 10_000

const placeAfter = { compact: searchesAfter, index: searchesAfter + 5 }

type JobTable = {
  name: string
  rows: number
  open: () => Promise<Table>
  leftovers: Pick<Leftovers, 'mayCome' | 'none'> | undefined
  removeLeftovers(signal: AbortSignal): Promise<void>
  removeReplaced(signal: AbortSignal): Promise<void>
}

export class Jobs {
  readonly #uri: string
  readonly #closed = new AbortController()
  readonly #turns = { here: new Mutex(), compact: new Mutex(), index: new Mutex() }

  constructor(uri: string) {
    this.#uri = uri
  }

  /** Held while a job is done: one at a time in this process, and one of each kind in others. */
  turnOf(table: JobTable, kind: Job['kind']): Mutex {
    return this.#turns[isHere(table) ? 'here' : kind]
  }

  /** What a job leaves that fails is removed. What is left where this process ends, the next start removes. */
  async carryOut(table: JobTable, job: Job): Promise<void> {
    const { signal } = this.#closed
    signal.throwIfAborted()
    await table.leftovers?.mayCome()
    try {
      await this.#do(table, job, signal)
      await table.leftovers?.none()
    } catch (error) {
      if (!signal.aborted) await table.removeLeftovers(signal).catch(() => undefined)
      throw error
    }
  }

  /** A large table is not on the disk twice for longer than a compaction takes. */
  async removeReplaced(table: JobTable): Promise<void> {
    if (!isHere(table)) await table.removeReplaced(this.#closed.signal)
  }

  #do(table: JobTable, job: Job, signal: AbortSignal): Promise<void> {
    if (isHere(table)) return doHere(table, job)
    const order = { uri: this.#uri, table: table.name, job }
    return runInProcess({ ...order, after: placeAfter[job.kind] }, signal)
  }

  /** Begins no more, and breaks off what other processes do, which harms nothing. */
  close(): void {
    this.#closed.abort(new Error('The store is closed.'))
  }
}

const isHere = ({ rows }: Pick<JobTable, 'rows'>): boolean => rows <= maxRowsHere

/** Uses a handle of its own, so that no write waits. */
async function doHere(table: JobTable, job: Job): Promise<void> {
  const lance = await table.open()
  try {
    await doJob(lance, job)
  } finally {
    lance.close()
  }
}
