import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Whether system calls can be watched here, which needs strace and the right to use it. */
export const canTrace = spawnSync('strace', ['-f', 'true'], { timeout: 60_000 }).status === 0
if (!canTrace && process.env.CI) throw new Error('CI needs strace; .ci/run installs it.')
if (!canTrace) console.warn('No strace is allowed or installed: some tests do not run here.')

/** Everything that changes what a directory holds, or puts it on the disk. */
const watched = [
  'open,openat,openat2,creat,truncate,ftruncate,fallocate',
  'write,pwrite64,writev,pwritev,pwritev2,copy_file_range,sendfile,splice',
  'rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,mkdir,mkdirat,rmdir',
  'fsync,fdatasync,sync_file_range,syncfs,sync,msync',
].join()

/** SIGKILL as any thread of a process is about to make its n-th of these calls. */
export type KillAt = { calls: string; n: number }

const injection = ({ calls, n }: KillAt): string[] => [
  '-e',
  `inject=${calls}:signal=KILL:when=${n}`,
]

/**
 * The command that runs a program, with its pid, while its calls are written to a file. The file is
 * whole once the program's output is closed.
 */
export const tracedTo = (file: string, killAt?: KillAt): string[] => [
  'strace',
  '-Dfy',
  '-s0',
  `-o${file}`,
  `-etrace=${watched}`,
  // The filter makes it quick, and keeps signals from being sent.
  ...(killAt ? injection(killAt) : ['--seccomp-bpf']),
]

/** Kills a running process at a system call. */
export async function killAtCall(pid: number, killAt: KillAt): Promise<void> {
  const traced = ['-f', '-o', '/dev/null', '-e', `trace=${killAt.calls}`]
  const options = [...traced, ...injection(killAt), '-p', String(pid)]
  const strace = spawn('strace', options, { stdio: ['ignore', 'ignore', 'pipe'] })
  const lines = createInterface(strace.stderr)
  const [line] = await once(lines, 'line')
  if (!/attached/.test(line)) throw new Error(line)
}

/** A system call that succeeded, or of which the process's end leaves that open. */
export type Call = {
  name: string
  /** As strace prints them. */
  args: string
  /** Where in the order of things it began and ended; it is open where it never did. */
  began: number
  ended: number
}

/** The calls of a trace in the order they ended; last those that are open. */
export function parseTrace(trace: string): Call[] {
  const running = new Map<string, Half>()
  const done: Call[] = []
  const open: Call[] = []
  trace.split('\n').forEach((line, at) => {
    const [, pid = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)?.[1]
    const half = resumed === undefined ? undefined : running.get(pid)
    const { text: before = '', began = at } = half ?? {}
    if (resumed !== undefined) running.delete(pid)
    if (text.endsWith('<unfinished ...>')) {
      running.set(pid, { text: text.replace(/,? ?<unfinished \.\.\.>$/, ''), began: at })
      return
    }
    const whole = before + (resumed ?? text).replace(/,? ?<unfinished \.\.\.>\) += \?$/, ') = ?')
    const [, name, args = '', result = ''] = /^(\w+)\((.*)\) += (\S+)/.exec(whole) ?? []
    if (name === undefined || result.startsWith('-')) return
    if (result === '?') open.push({ name, args, began, ended: Infinity })
    else done.push({ name, args, began, ended: at })
  })
  for (const { text, began } of running.values()) {
    const [, name, args = ''] = /^(\w+)\((.*)$/.exec(text) ?? []
    if (name !== undefined) open.push({ name, args, began, ended: Infinity })
  }
  return [...done, ...open]
}

type Half = { text: string; began: number }
