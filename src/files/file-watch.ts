/** The thread of a process that reads a file. It ends the process if it takes too much or its owner has gone. */
import { maxCpuSeconds, maxResidentBytes } from './limits.ts'

const { ppid } = process

setInterval(() => {
  const { user, system } = process.cpuUsage()
  const isLate = user + system > 1_000_000 * maxCpuSeconds
  const isLarge = process.memoryUsage.rss() > maxResidentBytes
  if (isLate || isLarge || process.ppid !== ppid) process.kill(process.pid, 'SIGKILL')
}, 25)
