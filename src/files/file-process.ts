import { fork } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import type { ProblemCode } from '../../generated/types.gen.ts'
import { ServiceError } from '../errors.ts'
import type { FileText } from './file-text.ts'
import { maxHeapMebibytes } from './limits.ts'

export type Outcome = { read: FileText } | { refused: { code: ProblemCode; detail: string } }

const file = join(import.meta.dirname, 'file-main.ts')
/** It may write nowhere, start nothing and load no machine code. */
const execArgv = [
  `--max-old-space-size=${maxHeapMebibytes}`,
  '--permission',
  '--allow-fs-read=*',
  '--allow-worker',
]
/** How much later than this process it comes, as in `os.setPriority`. */
const after = 5

/** Reads a file in a process of its own, which knows nothing of the settings. @throws ServiceError */
export async function readInProcess(
  bytes: Buffer,
  isNamedHtml: boolean,
  signal: AbortSignal,
): Promise<FileText> {
  const outcome = await outcomeOf(bytes, isNamedHtml, signal)
  signal.throwIfAborted()
  if (!outcome) throw new ServiceError('unreadable_file', tooMuch)
  if ('refused' in outcome) throw new ServiceError(outcome.refused.code, outcome.refused.detail)
  return outcome.read
}

const tooMuch = 'The file takes more time or memory to read than a file may.'

/** Undefined where the process ended before it was done. */
function outcomeOf(
  bytes: Buffer,
  isNamedHtml: boolean,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const { promise, resolve } = Promise.withResolvers<Outcome | undefined>()
  const child = fork(file, isNamedHtml ? ['html'] : [], {
    env: {},
    execArgv,
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    signal,
    killSignal: 'SIGKILL',
  })
  lower(child.pid)
  let outcome: Outcome | undefined
  child.on('message', (message: Outcome) => (outcome = message))
  child.on('error', () => resolve(undefined))
  child.on('exit', () => resolve(outcome))
  // It may end before it has read all.
  child.stdin!.on('error', () => undefined)
  child.stdin!.end(bytes)
  return promise
}

function lower(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(19, getPriority() + after))
  } catch {
    // It ended at once, or the system forbids it.
  }
}
