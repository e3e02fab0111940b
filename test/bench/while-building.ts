import type { Text } from './collection.ts'
import type { Figure } from './figures.ts'
import type { PacedJob, Target } from './http-load.ts'
import { type Appeared, IndexFolders } from './index-folders.ts'
import type { JobProcess } from './job-process.ts'
import type { PacedReport } from './paced-load.ts'
import { newTexts } from './spans.ts'
import type { Side } from './side.ts'

/** What is to go in at least, and what comes: a little more. */
const fewestDocuments = 300
const upsertsASecond = 31
const documentsAnUpsert = 10

const mostMilliseconds = 150

export type Writing = {
  writer: JobProcess
  /** Where the documents go, and they. */
  target: Target
  seconds: number
  /** The folder of the table they come into. */
  table: string
  eventLoop: () => Promise<number>
}

/** The bodies of upserts for so many seconds, of documents that are all new, in this run as in others. */
export function newUpserts(documents: Text[], seconds: number, run: number): string[] {
  const count = Math.ceil(seconds * upsertsASecond)
  const texts = newTexts(documents, count * documentsAnUpsert, run)
  return Array.from({ length: count }, (_, number) => {
    const some = texts.slice(number * documentsAnUpsert, (number + 1) * documentsAnUpsert)
    return JSON.stringify({ documents: some.map((text) => ({ text })) })
  })
}

/** How queries fare while documents come in and what is in is indexed, and how the documents do. */
export async function measureWhileBuilding(
  side: Side,
  askers: number,
  { writer, target, seconds, table, eventLoop }: Writing,
): Promise<Figure[]> {
  const job: PacedJob = { ...target, seconds, perSecond: upsertsASecond }
  await eventLoop()
  const [[queries, written], appeared] = await watched(table, () =>
    Promise.all([side.load(askers), writer.run<PacedReport>(job)]),
  )
  return [
    { name: 'queries/s', value: queries.rate, digits: 0 },
    { name: 'p50 ms of queries', value: queries.p50 },
    { name: 'p95 ms of queries', value: queries.p95 },
    { name: 'p99 ms of queries', value: queries.p99, atMost: mostMilliseconds },
    { name: 'p99 ms of queries, in the worst 5 s', value: queries.worst },
    { name: 'longest query, ms', value: queries.max },
    { name: 'queries that failed', value: queries.failures.count, digits: 0, atMost: 0 },
    {
      name: 'new documents/s',
      value: written.rate * documentsAnUpsert,
      digits: 0,
      atLeast: fewestDocuments,
    },
    { name: 'p50 ms of upserts', value: written.p50 },
    { name: 'p99 ms of upserts', value: written.p99 },
    { name: 'longest upsert, ms', value: written.max },
    { name: 'upserts that failed', value: written.failures.count, digits: 0, atMost: 0 },
    { name: 'p99 ms of the delay of the event loop', value: await eventLoop() },
    { name: 'folders of indexes that appeared', value: appeared.folders, digits: 0, atLeast: 1 },
    { name: 'of these of vectors', value: appeared.ofVectors, digits: 0 },
    { name: 'of these of all vectors', value: appeared.ofAllVectors, digits: 0 },
  ]
}

/** What the load returns, and which indexes of the table appeared meanwhile. */
async function watched<T>(table: string, load: () => Promise<T>): Promise<[T, Appeared]> {
  const folders = new IndexFolders(table)
  try {
    await folders.begin()
    const returned = await load()
    return [returned, await folders.appeared()]
  } finally {
    await folders.stop()
  }
}
