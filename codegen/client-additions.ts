import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const banner = '// Copied from codegen/client/ by `npm run generate`. Do not edit.\n\n'

/** The source of `stream-agent.gen.ts`: what the client generator's own stream of events does badly. */
export const streamSource = (): string =>
  banner + read('stream-agent.ts').replaceAll(`'../../generated/`, `'./`)

/** What the entry of the client exports beside what its generator put there. */
export const streamExports =
  "export { type StreamedEvent, streamAgent, streamedEvents } from './stream-agent.gen.ts';\n"

const read = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'client', name), 'utf8')
