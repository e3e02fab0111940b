import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Loaded into a server with `--import`: answers every message to the process with the 99th
 * percentile of its event loop's delay since the last one, in milliseconds.
 */
const resolution = 5
const delay = monitorEventLoopDelay({ resolution })
delay.enable()
process.on('message', () => {
  process.send?.(delay.percentile(99) / 1e6 - resolution)
  delay.reset()
})
