/** The process that reads one file: given its bytes on stdin, it sends an `Outcome`. */
import { once } from 'node:events'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'
import { ServiceError } from '../errors/errors.ts'
import type { FileOutcome } from './file-process.ts'
import { readFile } from './read-file.ts'
import { broken } from './refusals.ts'

// A terminal sends these to both processes; the other one says when to end.
process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined)

const watch = new Worker(join(import.meta.dirname, 'file-watch.ts'))
await once(watch, 'online')
const bytes = await buffer(process.stdin)
// A file makes a library throw such an error outside of its promises.
process.on('uncaughtException', () => finish(outcomeOf(broken())))
finish(
  await readFile(bytes, JSON.parse(process.argv[2]!)).then(
    (read): FileOutcome => ({ read }),
    outcomeOf,
  ),
)

function outcomeOf(error: unknown): FileOutcome {
  if (!(error instanceof ServiceError)) return { failed: inspect(error) }
  return { refused: { code: error.code, detail: error.message } }
}

function finish(outcome: FileOutcome): void {
  process.send!(outcome, () => process.exit())
}
