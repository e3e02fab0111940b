import { type ChildProcess, fork, execFile } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import type { ProblemCode } from '../../generated/types.gen.ts'
import { ServiceError } from '../errors/errors.ts'
import type { FileText } from './file-text.ts'
import type { FileHints } from './uploaded-file.ts'
import { realpathSync } from 'node:fs'
import { maxHeapMebibytes } from './limits.ts'

/** Goes before the bytes of a file, which come by stdin. */
export type FileOrder = { hints: FileHints; length: number }

export type FileOutcome =
  | { read: FileText }
  | { refused: { code: ProblemCode; detail: string } }
  | { failed: string }

/** A process that `goesOn` waits for another file; others end. */
export type FileAnswer = { outcome: FileOutcome; goesOn: boolean }

const file = join(import.meta.dirname, 'file-main.ts')
/** How much lower its priority is than ours, in the numbers of `os.setPriority`. */
const after = 5

export const startFileProcess = async (): Promise<FileProcess> =>
  new FileProcess(sandbox(await canBeOffline()))

/** Reads files, one at a time, in a process that knows and reaches little. */
export class FileProcess {
  readonly #child: ChildProcess
  #goesOn = true

  constructor(within: Sandbox) {
    this.#child = fork(file, { ...within, stdio: ['pipe', 'ignore', 'ignore', 'ipc'] })
    lower(this.#child.pid)
    const ended = () => (this.#goesOn = false)
    this.#child.on('error', ended).on('close', ended)
    if (this.#child.pid === undefined)
      throw new Error('No process that reads files could be started.')
    // The child may end before it has read all.
    this.#child.stdin!.on('error', () => undefined)
  }

  get goesOn(): boolean {
    return this.#goesOn
  }

  /** @throws ServiceError */
  async read(bytes: Buffer, hints: FileHints, signal: AbortSignal): Promise<FileText> {
    const end = () => this.end()
    signal.addEventListener('abort', end)
    try {
      const { outcome, goesOn } = await this.#answer(bytes, hints)
      this.#goesOn &&= goesOn
      signal.throwIfAborted()
      return textOf(outcome)
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  end(): void {
    this.#goesOn = false
    this.#child.kill('SIGKILL')
  }

  #answer(bytes: Buffer, hints: FileHints): Promise<FileAnswer> {
    const child = this.#child
    const settled = new AbortController()
    const { promise, resolve, reject } = Promise.withResolvers<FileAnswer>()
    const ended = (code: number | null, killedBy: string | null) =>
      resolve({ outcome: outcomeOfEnd(code, killedBy), goesOn: false })
    // `exit` may come before the message.
    child.on('message', resolve).on('error', reject).on('close', ended)
    settled.signal.addEventListener('abort', () =>
      child.off('message', resolve).off('error', reject).off('close', ended),
    )
    // A child that has ended tells so by `close`.
    child.send({ hints, length: bytes.length } satisfies FileOrder, () => undefined)
    child.stdin!.write(bytes)
    return promise.finally(() => settled.abort())
  }
}

function textOf(outcome: FileOutcome): FileText {
  if ('read' in outcome) return outcome.read
  if ('failed' in outcome) throw new Error(outcome.failed)
  throw new ServiceError(outcome.refused.code, outcome.refused.detail)
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

type Sandbox = { execPath: string; execArgv: string[]; env: NodeJS.ProcessEnv }

const root = join(import.meta.dirname, '../..')
const code = ['src', 'generated', 'node_modules', 'package.json'].map((name) => join(root, name))

/** For a process that may read code and no other file, write nowhere, start nothing and load no machine code. */
export function sandbox(isOffline: boolean): Sandbox {
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
  const { execPath, execArgv, env } = sandbox(true)
  const script = `await import(${JSON.stringify(import.meta.resolve('./read-file.ts'))})`
  const args = [...execArgv, '--input-type=module', '--eval', script]
  return new Promise((resolve) => {
    execFile(execPath, args, { env }, (error) => resolve(error === null))
  })
}
