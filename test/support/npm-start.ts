import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import { root } from './contract.ts'

/** Whether a command can be the first process of a system of its own here. */
export const canBeFirst = spawnSync('unshare', ['-rpf', '--mount-proc', 'true']).status === 0
if (!canBeFirst) console.warn('No namespaces are allowed here: nothing runs as process 1.')

/** How a command is started: itself, in the background of a script, or as process 1. */
export type Way = 'plain' | 'in the background' | 'as process 1'

const wrapped: Record<Way, (command: string) => string[]> = {
  plain: (command) => command.split(' '),
  'in the background': (command) => ['sh', '-c', `${command} & echo "pid $!"; wait $!`],
  'as process 1': (command) => ['unshare', '-rpf', '--mount-proc', ...command.split(' ')],
}

export type Started = {
  /** Of the server, once it listens; undefined where it ended before. */
  url: Promise<string | undefined>
  /** The lines on stdout so far. */
  lines: string[]
  /** Sends a signal to whom a person or a service manager would send it, where that is running. */
  signal(name: NodeJS.Signals): void
  /** Itself, and what it started that is running. */
  processes(): number[]
  /** The exit code, or the signal's name. Nothing of what was started is left then. */
  ended(): Promise<number | string | null>
  /** All that is on stderr, which is a file. */
  errors(): string
}

/** Starts a command in the root of the project with its data in this directory. */
export function startCommand(
  command: string,
  way: Way,
  directory: string,
  settings: NodeJS.ProcessEnv = {},
): Started {
  const { PATH, HOME, TMPDIR } = process.env
  const file = join(directory, '..', `${directory.split('/').at(-1)}.stderr`)
  const stderr = openSync(file, 'w')
  const [program = '', ...args] = wrapped[way](command)
  const child = spawn(program, args, {
    cwd: root,
    env: {
      PATH,
      HOME,
      TMPDIR,
      PORT: '0',
      DATA_URI: directory,
      npm_config_update_notifier: 'false',
      ...settings,
    },
    stdio: ['ignore', 'pipe', stderr],
  })
  closeSync(stderr)
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>
  const lines: string[] = []
  return {
    url: urlOf(child, lines),
    lines,
    signal: (name) => {
      const pid = pidOf(child, way, lines)
      // 0 would be this process and all of its group.
      if (pid > 0) process.kill(pid, name)
    },
    processes: () => processesOf(directory),
    ended: async () => {
      // It only ends what hangs.
      const late = setTimeout(() => processesOf(directory).forEach(kill), 60_000)
      const [code, name] = await exit
      await expect.poll(() => processesOf(directory)).toEqual([])
      clearTimeout(late)
      return code ?? name
    },
    errors: () => readFileSync(file, 'utf8'),
  }
}

async function urlOf(child: ChildProcess, lines: string[]): Promise<string | undefined> {
  for await (const line of createInterface(child.stdout!)) {
    lines.push(line)
    const url = /^Listening on (.*)$/.exec(line)?.[1]
    if (url) return url
  }
  return undefined
}

function pidOf({ pid = 0 }: ChildProcess, way: Way, lines: string[]): number {
  if (way === 'plain') return pid
  const inBackground = lines.map((line) => /^pid (\d+)$/.exec(line)?.[1]).find(Boolean)
  return Number(way === 'in the background' ? inBackground : childOf(pid))
}

/** The first child of a process, nothing while or once it has none. */
function childOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0] ?? ''
  } catch {
    return ''
  }
}

/** The processes that have this directory in their settings. */
function processesOf(directory: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => environmentOf(pid).includes(`DATA_URI=${directory}\0`))
    .map(Number)
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    // It is gone, or somebody else's.
    return ''
  }
}

const kill = (pid: number): void => {
  spawnSync('kill', ['-KILL', String(pid)])
}
