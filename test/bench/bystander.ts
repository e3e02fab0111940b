import { setTimeout } from 'node:timers/promises'
import { serveJobs } from './job-process.ts'

/** Either to begin asking a server, or to tell the longest time an answer took since, in milliseconds. */
export type BystanderJob = { url: string } | { stop: true }

const everyMilliseconds = 10

let longest = 0
let watched: Promise<void> | undefined
let isStopped = false

/** Asks for nothing but a sign of life, by the clock, so that every stall is seen whole. */
async function watch(url: string): Promise<void> {
  const asked: Promise<void>[] = []
  for (let due = performance.now(); !isStopped; due += everyMilliseconds) {
    await setTimeout(Math.max(0, due - performance.now()))
    asked.push(ask(url, due))
  }
  await Promise.all(asked)
}

/** Who is not answered at all waits for ever. */
async function ask(url: string, due: number): Promise<void> {
  const isAnswered = await fetch(`${url}/health/live`).then(
    async (response) => (await response.text()) !== '',
    () => false,
  )
  longest = Math.max(longest, isAnswered ? performance.now() - due : Infinity)
}

serveJobs(async (job: BystanderJob) => {
  if ('url' in job) {
    longest = 0
    isStopped = false
    watched = watch(job.url)
    return undefined
  }
  isStopped = true
  await watched
  return longest
})
