import { readdir, readFile } from 'node:fs/promises'

/** Whether any process has that id. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Ends the processes that have this as their temporary folder, if the system tells which. */
export async function endProcessesIn(folder: string): Promise<void> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  for (const pid of pids) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    if (environment.split('\0').includes(`TMPDIR=${folder}`)) process.kill(Number(pid), 'SIGKILL')
  }
}
