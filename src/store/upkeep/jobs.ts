import type { Table } from '@lancedb/lancedb'
import { Mutex } from 'async-mutex'
import { doJob, type Job } from './job.ts'
import { runInProcess } from './job-process.ts'
import { searchesAfter } from './thread-priority.ts'

/** A table with more rows is worked on by another process, which takes its memory along as it ends. */
const maxRowsHere = 10_000

/** Nothing waits for an index, so its process leaves more of the processors to queries. */
const priorityOf = { compact: searchesAfter, index: searchesAfter + 5 }

type JobTable = { name: string; rows: number; open: () => Promise<Table> }

/** Does jobs to the tables of one store, in this process or another. */
export class Jobs {
  readonly #uri: string
  readonly #closed = new AbortController()
  readonly #turns = { here: new Mutex(), compact: new Mutex(), index: new Mutex() }

  /** @param uri where the tables are */
  constructor(uri: string) {
    this.#uri = uri
  }

  /** Held while a job is done: of those here, and of each kind elsewhere, there is one at a time. */
  turnOf(table: JobTable, kind: Job['kind']): Mutex {
    return this.#turns[isHere(table) ? 'here' : kind]
  }

  /** @throws what went wrong, also where the process that did the job ended */
  async do(table: JobTable, job: Job): Promise<void> {
    const { signal } = this.#closed
    signal.throwIfAborted()
    if (isHere(table)) return doHere(table, job)
    const order = { uri: this.#uri, table: table.name, job }
    return runInProcess({ ...order, after: priorityOf[job.kind] }, signal)
  }

  /** Ends what is being done by other processes, which harms nothing, and begins no more. */
  close(): void {
    this.#closed.abort(new Error('The store is closed.'))
  }
}

const isHere = ({ rows }: JobTable): boolean => rows <= maxRowsHere

/** By a handle of its own: the one that writes go through need not wait for this. */
async function doHere(table: JobTable, job: Job): Promise<void> {
  const lance = await table.open()
  try {
    await doJob(lance, job)
  } finally {
    lance.close()
  }
}
