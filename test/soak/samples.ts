import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { linearRegression, mean } from 'simple-statistics'

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

/** Files may go while they are counted. */
function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sizes = files.map(
    (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** How much a line through the samples rises from the first to the last, as a share of their mean. */
export function riseOf(samples: Sample[], measure: Measure): number {
  const points = samples.map((sample) => [sample.second, sample[measure]])
  const seconds = samples.at(-1)!.second - samples[0]!.second
  const { m: slope } = linearRegression(points)
  return (slope * seconds) / mean(samples.map((sample) => sample[measure]))
}
