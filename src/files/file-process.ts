import { fork, execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import type { ProblemCode } from '../../generated/types.gen.ts'
import { ServiceError } from '../errors/errors.ts'
import type { FileText } from './file-text.ts'
import { maxHeapMebibytes } from './limits.ts'
import type { Told } from './told.ts'

export type FileOutcome =
  | { read: FileText }
  | { refused: { code: ProblemCode; detail: string } }
  /** The failure is not the file's. */
  | { failed: string }

const file = join(import.meta.dirname, 'file-main.ts')
/** How much its priority is below ours, as in `os.setPriority`. */
const after = 5

/** Reads a file in a process of its own, which knows and reaches little. @throws ServiceError */
export async function readInProcess(
  bytes: Buffer,
  told: Told,
  signal: AbortSignal,
): Promise<FileText> {
  const within = walls(await canBeOffline())
  const outcome = await outcomeOf(bytes, told, within, signal).catch((error: unknown) => {
    signal.throwIfAborted()
    throw error
  })
  signal.throwIfAborted()
  if ('read' in outcome) return outcome.read
  if ('failed' in outcome) throw new Error(outcome.failed)
  throw new ServiceError(outcome.refused.code, outcome.refused.detail)
}

function outcomeOf(
  bytes: Buffer,
  told: Told,
  within: Walls,
  signal: AbortSignal,
): Promise<FileOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<FileOutcome>()
  const child = fork(file, [JSON.stringify(told)], {
    ...within,
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    signal,
    killSignal: 'SIGKILL',
  })
  lower(child.pid)
  let outcome: FileOutcome | undefined
  child.on('message', (message: FileOutcome) => (outcome = message))
  child.on('error', reject)
  // `exit` may come before the message.
  child.on('close', (code, killedBy) => resolve(outcome ?? outcomeOfEnd(code, killedBy)))
  // The child may end before it has read all. A child that could not be started has no stdin.
  child.stdin?.on('error', () => undefined).end(bytes)
  return promise
}

/** The child's watch kills it, or V8 aborts it, if it takes too much. */
const outcomeOfEnd = (code: number | null, killedBy: string | null): FileOutcome =>
  killedBy
    ? { refused: { code: 'unreadable_file', detail: tooMuch } }
    : { failed: `The process that reads a file ended with ${code}.` }

const tooMuch = 'The file takes more time or memory to read than a file may.'

function lower(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(19, getPriority() + after))
  } catch {
    // The child ended at once, or the system forbids it.
  }
}

type Walls = { execPath: string; execArgv: string[]; env: NodeJS.ProcessEnv }

const root = join(import.meta.dirname, '../..')
const code = ['src', 'generated', 'node_modules', 'package.json'].map((name) => join(root, name))

/** For a process that may read code and no other file, write nowhere, start nothing and load no machine code. */
export function walls(isOffline: boolean): Walls {
  // Where packages are a link, Node asks for what it leads to.
  const readable = new Set(code.flatMap((path) => [path, realpathSync(path)]))
  const flags = [
    `--max-old-space-size=${maxHeapMebibytes}`,
    '--permission',
    ...Array.from(readable, (path) => `--allow-fs-read=${path}`),
    '--allow-worker',
  ]
  const { execPath } = process
  if (!isOffline) return { execPath, execArgv: flags, env: {} }
  // Node runs in its own namespaces, without rights over others' files and without network.
  return { execPath: 'unshare', execArgv: ['-U', '-n', execPath, ...flags], env: {} }
}

let offline: Promise<boolean> | undefined

/** Whether the system lets a process be without network, and read its code there; tried once. */
export const canBeOffline = (): Promise<boolean> => (offline ??= triesOffline())

function triesOffline(): Promise<boolean> {
  const { execPath, execArgv, env } = walls(true)
  const script = `await import(${JSON.stringify(import.meta.resolve('./read-file.ts'))})`
  const args = [...execArgv, '--input-type=module', '--eval', script]
  return new Promise((resolve) => {
    execFile(execPath, args, { env }, (error) => resolve(error === null))
  })
}
