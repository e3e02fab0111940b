import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { memoryBounds } from '../../src/process/runtime-settings.ts'
import { root } from './contract.ts'

export type ServerProcess = {
  process: ChildProcess
  url: string
  /** What it printed until it listened. */
  lines: string[]
  /** All that it wrote to stderr so far. */
  errors(): string
  kill(signal: NodeJS.Signals): Promise<void>
}

/**
 * `wrapper` is a command that runs the one it is given, and becomes it. Without a channel to this
 * process the server bounds its memory itself, beginning again.
 */
export type SpawnOptions = {
  nodeOptions?: string[]
  wrapper?: string[]
  hasChannel?: boolean
  /** Where a file of settings is read; there is none unless a test writes one. */
  cwd?: string
  /** Another checkout of the service. */
  service?: string
  /** Milliseconds from the start until it is killed, should it not listen by then. */
  killAfter?: number
}

/**
 * `node src/main.ts` with these settings on a free port, once it listens.
 * @throws with what it printed to stderr when it exits instead
 */
export async function spawnServer(
  settings: NodeJS.ProcessEnv,
  {
    nodeOptions = [],
    wrapper = [],
    hasChannel = true,
    cwd = tmpdir(),
    service = root,
    killAfter,
  }: SpawnOptions = {},
): Promise<ServerProcess> {
  const { PATH, HOME, TMPDIR } = process.env
  const [command = '', ...rest] = [...wrapper, process.execPath, ...nodeOptions]
  const child = spawn(command, [...rest, join(service, 'src/main.ts')], {
    cwd,
    env: { PATH, HOME, TMPDIR, PORT: '0', ...(hasChannel && memoryBounds), ...settings },
    stdio: ['ignore', 'pipe', 'pipe', ...(hasChannel ? (['ipc'] as const) : [])],
  })
  const kill = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  const timer = killAfter && setTimeout(() => child.kill('SIGKILL'), killAfter)
  let stderr = ''
  child.stderr?.on('data', (bytes) => (stderr += String(bytes)))
  const lines: string[] = []
  for await (const line of createInterface(child.stdout!)) {
    lines.push(line)
    const url = /^Listening on (.*)$/.exec(lines[0] ?? '')?.[1]
    const keyIsOut = settings.INITIAL_KEY !== undefined || lines.length > 1
    if (!url || !keyIsOut) continue
    clearTimeout(timer)
    return { process: child, url, lines, errors: () => stderr, kill }
  }
  throw new Error(stderr)
}
