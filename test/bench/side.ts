import type { Target } from './http-load.ts'
import type { JobProcess } from './job-process.ts'
import type { Retrieval } from './retrieval.ts'
import type { LoadReport, Pace } from './timed-load.ts'

/**
 * One of those that are measured beside each other: what it finds, by the numbers of the texts, and
 * how it fares with so many clients, of which it can be asked for some numbers only.
 */
export type Side = Retrieval & {
  clients: number[]
  load(clients: number): Promise<LoadReport>
}

/** What all sides are asked, how long, and with how many clients over HTTP. */
export type Plan = {
  questions: string[]
  topK: number
  pace: Pace
  clients: number[]
  honoursRetryAfter?: boolean
}

/** Load over HTTP on a side, from the process that makes it. */
export const loadFrom =
  (generator: JobProcess, target: Target, pace: Pace): Side['load'] =>
  (clients) =>
    generator.run<LoadReport>({ ...target, ...pace, clients })

export const vectorMode = 'service, vector'
export const hybridMode = 'service, hybrid'
export const chroma = 'Chroma'
export const raw = 'LanceDB in-process'
