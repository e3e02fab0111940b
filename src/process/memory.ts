import { setFlagsFromString } from 'node:v8'

/**
 * Bounds of what the libraries below take, which they and Node.js read from the environment.
 *
 * glibc gives each of some twenty threads an arena of memory that it hardly ever gives back: after
 * 100,000 fragments were stored and searched, the process held 1.09 GB with as many as it likes, 0.93
 * with two and 0.81 with one, at the same rates. Large pieces go back to the system as soon as they
 * are free where the threshold for them stands still: 0.1 GB less. LanceDB reads up to 2 GB ahead of
 * what it searches: four exact searches of 100,000 vectors took 1.7 GB, and with this 0.8, in the same
 * time. V8 lets what is short-lived grow to 96 MB; at half of that it takes as long.
 */
export const memoryBounds = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(128 * 1024),
  LANCE_DEFAULT_IO_BUFFER_SIZE: String(32 * 1024 * 1024),
  NODE_OPTIONS: '--max-semi-space-size=16',
}

/**
 * V8 as it is in Node.js 24 collects whenever arrays outside its heap have grown by 50 MB, however many
 * there are, in one go: that came every three seconds, and made all queries under way 100 ms later. With
 * these it collects as all of its memory has grown by a share. At six tenths, while 100,000 fragments were
 * indexed, that came 8 times in 40 s instead of 19, which in two pairs of runs made the p99 of hybrid
 * queries 115 and 84 ms instead of 167 and 98; at four tenths it came to as many as before. With 512
 * clients of 100,000 fragments it comes 23 times in 50 s at 45 hundredths, 16 at seven tenths and 11 at
 * ten, and with hybrid queries the process then holds 750, 805 and 860 MiB. Later versions may not know
 * them.
 */
const collections = ['--external-memory-accounted-in-global-limit', '--heap-growing-percent=70']
const knownTo = /^13\.6\./

/** Has V8 collect by how much there is, once and for the whole process. */
export function collectSeldom(): void {
  if (knownTo.test(process.versions.v8)) collections.forEach(setFlagsFromString)
}

/**
 * Sets them where they are not set. glibc reads its own only as a process begins, so that this one
 * begins again, with the same id; Windows cannot do that, and has no glibc. Where that is not allowed,
 * or whoever started it speaks to it over a channel that would be lost, memory is less bounded.
 */
export function boundMemory(env: NodeJS.ProcessEnv): void {
  const missing = Object.entries(memoryBounds).filter(([name]) => !env[name])
  if (missing.length === 0) return
  Object.assign(env, Object.fromEntries(missing))
  if (process.platform !== 'linux' || process.connected) return
  const { execPath, execArgv, argv } = process
  try {
    process.execve!(execPath, [execPath, ...execArgv, ...argv.slice(1)], env)
  } catch {
    // Node's permissions may forbid it.
  }
}
