/**
 * Loaded into a server before it starts. Asked by a message, it sends the processor milliseconds of the
 * event loop's longest turn since it was last asked, which other load on the machine does not lengthen.
 */
import process from 'node:process'

const cpuMilliseconds = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

// Processes that the server starts load this too.
if (process.argv[1]?.endsWith('/main.ts')) {
  let [longest, before] = [0, cpuMilliseconds()]
  // A timer is due at every turn that took a millisecond, and costs nothing between them.
  const watch = () => {
    const now = cpuMilliseconds()
    longest = Math.max(longest, now - before)
    before = now
  }
  setInterval(watch, 1).unref()
  process.on('message', () => {
    watch()
    process.send!(longest)
    longest = 0
  })
}
