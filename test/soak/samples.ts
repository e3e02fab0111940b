import { readdirSync, readFileSync } from 'node:fs'
import { linearRegression } from 'simple-statistics'
import { bytesIn } from '../support/bytes-in.ts'

/** What a server holds at a second of its run. */
export type Sample = { second: number; descriptors: number; rss: number; disk: number }
export type Measure = Exclude<keyof Sample, 'second'>

const mebibyte = 1024 * 1024

/** `rss` and `disk` are in MiB. */
export function sampleOf(pid: number, dataUri: string, second: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const rss = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  const descriptors = readdirSync(`/proc/${pid}/fd`).length
  return { second, descriptors, rss, disk: bytesIn(dataUri) / mebibyte }
}

/** How much a line through the samples rises from the first to the last. */
export function riseOf(samples: Sample[], measure: Measure): number {
  const points = samples.map((sample) => [sample.second, sample[measure]])
  const seconds = samples.at(-1)!.second - samples[0]!.second
  const { m: slope } = linearRegression(points)
  return slope * seconds
}
