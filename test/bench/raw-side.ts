import type { Text } from './collection.ts'
import type { JobProcess } from './job-process.ts'
import type { RawJob } from './raw-lancedb.ts'
import { type Plan, raw, type Side } from './side.ts'
import type { LoadReport } from './timed-load.ts'

/** Stores the texts in LanceDB alone, in the process for it. */
export async function rawSide(
  process: JobProcess,
  directory: string,
  texts: Text[],
  { questions, topK, pace }: Plan,
): Promise<Side> {
  const run = <Result>(job: RawJob) => process.run<Result>(job)
  await run({ kind: 'store', directory, texts })
  return {
    name: raw,
    clients: [1, 16],
    ask: (query, depth) => run<string[]>({ kind: 'ask', query, topK: depth }),
    load: (callers) => run<LoadReport>({ kind: 'load', questions, topK, callers, ...pace }),
  }
}
