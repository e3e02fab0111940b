/** The thread of a process that reads files. It ends the process if a file takes too much or its owner has gone. */
import { parentPort } from 'node:worker_threads'
import { maxCpuSeconds, maxResidentBytes } from './limits.ts'

const { ppid } = process
let begun = process.cpuUsage()

parentPort!.on('message', () => (begun = process.cpuUsage()))

setInterval(() => {
  const { user, system } = process.cpuUsage(begun)
  const isLate = user + system > 1_000_000 * maxCpuSeconds
  const isLarge = process.memoryUsage.rss() > maxResidentBytes
  if (isLate || isLarge || process.ppid !== ppid) process.kill(process.pid, 'SIGKILL')
}, 25)
