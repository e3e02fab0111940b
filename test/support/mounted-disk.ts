import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

const works = (command: string, ...options: string[]): boolean =>
  spawnSync(command, options).status === 0

export const canMount = works('unshare', '-rm', 'mount', '-t', 'tmpfs', 'none', '/tmp')
if (!canMount) console.warn('No disk can be mounted here: some tests do not run.')

/** A disk for one server, with a size in MiB. Other processes do not see it. */
export const onDisk = (mebibytes: number, directory: string): string[] => {
  const mount = `mount -t tmpfs -o size=${mebibytes}m none ${directory} && exec "$@"`
  return ['unshare', '-rm', 'sh', '-c', mount, 'sh']
}

/** A disk that outlives servers: the command that runs something with it. */
export async function keepDisk(mebibytes: number, directory: string): Promise<string[]> {
  const [command = '', ...options] = onDisk(mebibytes, directory)
  const holder = spawn(command, [...options, 'sh', '-c', 'echo mounted; exec sleep 600'])
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  return ['nsenter', '-t', String(holder.pid), '-m', '-U', '--preserve-credentials', '--']
}
