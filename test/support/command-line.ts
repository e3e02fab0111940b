import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './contract.ts'
import { testKey } from './server.ts'

export type Run = { code: number; stdout: string; stderr: string }

/** `signal` kills it. */
export type RunOptions = {
  cwd?: string
  input?: string
  env?: NodeJS.ProcessEnv
  signal?: AbortSignal
}

export const main = join(root, 'client/src/cli/main.ts')

/** What is compiled once need not be again by every process. */
const NODE_COMPILE_CACHE = join(tmpdir(), 'compiled')

const environment = (url: string): NodeJS.ProcessEnv => {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, SERVICE_URL: url, API_KEY: testKey }
}

/** `agents-datastores` with these words, as a pipe sees it. */
export function commandLine(url: string, words: string[], options: RunOptions = {}): Promise<Run> {
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
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
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
