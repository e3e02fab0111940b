import type { Table } from '@lancedb/lancedb'
import { Mutex } from 'async-mutex'
import { doJob, type Job } from './job.ts'
import { runInProcess } from './job-process.ts'
import { searchesAfter } from './thread-priority.ts'

/** A table with more rows is worked on by another process, which takes its memory along as it ends. */
const maxRowsHere = 10_000

/** Nothing waits for an index, so its process leaves more of the processors to queries. */
const priorityOf = { compact: searchesAfter, index: searchesAfter + 5 }

type Place = { name: string; rows: number; open: () => Promise<Table> }

/** Does jobs to the tables of one store, of each kind one after the other. */
export class Jobs {
  readonly #uri: string
  readonly #closed = new AbortController()
  readonly #turns = { compact: new Mutex(), index: new Mutex() }

  /** @param uri where the tables are */
  constructor(uri: string) {
    this.#uri = uri
  }

  /** @throws what went wrong, also where the process that did it ended */
  do(table: Place, job: Job): Promise<void> {
    return this.#turns[job.kind].runExclusive(() => {
      this.#closed.signal.throwIfAborted()
      return table.rows > maxRowsHere ? this.#elsewhere(table.name, job) : here(table, job)
    })
  }

  /** Ends what is being done by other processes, which harms nothing, and begins no more. */
  close(): void {
    this.#closed.abort(new Error('The store is closed.'))
  }

  #elsewhere(table: string, job: Job): Promise<void> {
    const after = priorityOf[job.kind]
    return runInProcess({ uri: this.#uri, table, job, after }, this.#closed.signal)
  }
}

/** By a handle of its own: the one that writes go through need not wait for this. */
async function here(table: Place, job: Job): Promise<void> {
  const lance = await table.open()
  try {
    await doJob(lance, job)
  } finally {
    lance.close()
  }
}
