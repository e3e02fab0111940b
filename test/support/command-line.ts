import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { Mutex } from 'async-mutex'
import { vi } from 'vitest'
import { runProgram, makeProgram } from '../../cli/src/program.ts'
import { run } from '../../cli/src/run.ts'
import { root } from './contract.ts'
import { freePort } from './free-port.ts'
import { testKey } from './server.ts'

export type Run = { code: number; stdout: string; stderr: string }

/** `signal` kills it. */
export type RunOptions = {
  cwd?: string
  input?: string
  env?: NodeJS.ProcessEnv
  signal?: AbortSignal
}

export const main = join(root, 'cli/src/main.ts')

/** What is compiled once need not be again by every process. */
const NODE_COMPILE_CACHE = join(tmpdir(), 'compiled')

const environment = (url: string): NodeJS.ProcessEnv => {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, SERVICE_URL: url, API_KEY: testKey }
}

const oneAtATime = new Mutex()

/** `agents-datastores` with these words, as a pipe sees it, in this process. */
export const commandLine = (url: string, words: string[], options: RunOptions = {}): Promise<Run> =>
  oneAtATime.runExclusive(async () => {
    const output = { stdout: '', stderr: '' }
    using stand = standIn({ ...options, env: { ...environment(url), ...options.env } }, output)
    const commandOf = () =>
      runProgram(makeProgram({ version: '0.0.0', url: process.env.SERVICE_URL || url }), words)
    await run(commandOf)
    return { code: stand.exitCode(), ...output }
  })

/** Gives the command line another environment, folder and streams until it is disposed. */
function standIn({ cwd, input = '', env }: RunOptions, output: { stdout: string; stderr: string }) {
  const before = { env: process.env, cwd: process.cwd(), exitCode: process.exitCode }
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!
  const emitters: [NodeJS.EventEmitter, string][] = [
    [process, 'SIGINT'],
    [process, 'SIGTERM'],
    [process.stdout, 'error'],
  ]
  const known = emitters.map(([emitter, event]) => emitter.listeners(event))
  process.env = { ...env }
  process.exitCode = undefined
  if (cwd) process.chdir(cwd)
  Object.defineProperty(process, 'stdin', {
    value: Readable.from([Buffer.from(input)]),
    configurable: true,
  })
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text)
      return true
    }),
  )
  return {
    exitCode: () => Number(process.exitCode ?? 0),
    [Symbol.dispose]: () => {
      for (const spy of spies) spy.mockRestore()
      for (const [index, [emitter, event]] of emitters.entries()) {
        for (const listener of emitter.listeners(event)) {
          if (!known[index]!.includes(listener)) emitter.off(event, listener as () => void)
        }
      }
      Object.defineProperty(process, 'stdin', stdin)
      process.chdir(before.cwd)
      process.env = before.env
      process.exitCode = before.exitCode
    },
  }
}

/** The same as a process of its own. */
export function commandProcess(
  url: string,
  words: string[],
  options: RunOptions = {},
): Promise<Run> {
  const { cwd, input = '', env, signal } = options
  return new Promise((resolve) => {
    const settings = {
      cwd,
      env: { ...environment(url), ...env },
      signal,
      killSignal: 'SIGKILL',
    } as const
    const done = (error: Error | null, stdout: string, stderr: string) => {
      resolve({ code: error && 'code' in error ? Number(error.code) : 0, stdout, stderr })
    }
    const child = execFile(process.execPath, [main, ...words], settings, done)
    child.stdin?.end(input)
  })
}

/** An address on which nothing listens. */
export async function silentUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`
}

/** The same on a terminal. */
export class TerminalRun {
  readonly #child
  #seen = ''
  /** The exit code. */
  readonly code: Promise<number>

  constructor(url: string, words: string[], { cwd, env }: RunOptions = {}) {
    const command = [process.execPath, main, ...words].map((word) => `'${word}'`).join(' ')
    this.#child = spawn('script', ['-qefc', command, '/dev/null'], {
      ...(cwd && { cwd }),
      env: { ...environment(url), TERM: 'xterm', ...env },
    })
    this.#child.stdout.on('data', (bytes: Buffer) => (this.#seen += bytes.toString()))
    this.code = once(this.#child, 'close').then(([code]) => Number(code))
  }

  /** All that was written so far. */
  get seen(): string {
    return this.#seen
  }

  /** The same without what moves the cursor and colours. */
  get text(): string {
    return stripVTControlCharacters(this.#seen).replaceAll('\r', '\n')
  }

  pressCtrlC(): void {
    this.#child.stdin.write('\u0003')
  }
}
