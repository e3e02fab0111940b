/** The process that reads files: sent a `FileOrder`, and the bytes on stdin, it sends a `FileAnswer`. */
import { once } from 'node:events'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'
import { ServiceError } from '../errors/errors.ts'
import type { FileAnswer, FileOrder, FileOutcome } from './file-process.ts'
import { maxKeptBytes } from './limits.ts'
import { readFile } from './read-file.ts'
import { broken } from './refusals.ts'

// A terminal sends these to both processes; the other one says when to end.
process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined)
process.on('disconnect', () => process.exit())

let order: FileOrder | undefined
let chunks: Buffer[] = []
let received = 0

const watch = new Worker(join(import.meta.dirname, 'file-watch.ts'))
await once(watch, 'online')
// A file makes a library throw such an error outside of its promises.
process.on('uncaughtException', () => answer(outcomeOf(broken())))
process.on('message', (next: FileOrder) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  watch.postMessage('begun')
  order = next
  readIfWhole()
})
process.stdin.on('data', (chunk: Buffer) => {
  chunks.push(chunk)
  received += chunk.length
  readIfWhole()
})

/** An order and its bytes come by two channels. */
function readIfWhole(): void {
  if (!order || received < order.length) return
  const [{ hints }, bytes] = [order, Buffer.concat(chunks)]
  order = undefined
  chunks = []
  received = 0
  void readFile(bytes, hints)
    .then((read): FileOutcome => ({ read }), outcomeOf)
    .then(answer)
}

function outcomeOf(error: unknown): FileOutcome {
  if (!(error instanceof ServiceError)) return { failed: inspect(error) }
  return { refused: { code: error.code, detail: error.message } }
}

/** A file that could not be read may have left something behind, so the process ends. */
function answer(outcome: FileOutcome): void {
  const goesOn = 'read' in outcome && process.memoryUsage.rss() < maxKeptBytes
  const message: FileAnswer = { outcome, goesOn }
  process.send!(message, () => goesOn || process.exit())
}
