/** The process that reads one file: given its bytes on stdin, it sends an `Outcome`. */
import { once } from 'node:events'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { ServiceError } from '../errors.ts'
import type { Outcome } from './file-process.ts'
import { readFile } from './read-file.ts'

// A terminal sends these to both processes; the other one says when to end.
process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined)

const watch = new Worker(join(import.meta.dirname, 'file-watch.ts'))
await once(watch, 'online')
const outcome = await readFile(await buffer(process.stdin), process.argv[2] === 'html').then(
  (read): Outcome => ({ read }),
  (error: unknown): Outcome => {
    if (!(error instanceof ServiceError)) throw error
    return { refused: { code: error.code, detail: error.message } }
  },
)
process.send!(outcome, () => process.exit())
