import { link, mkdir, open, readdir, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartupError } from '../errors.ts'
import type { Log } from '../log.ts'
import { lockDirectory } from './directory-lock.ts'
import { syncPath } from './durability.ts'

/** Below this a new store would soon end in the middle of something. */
const leastRoom = 16 * 1024 * 1024

/**
 * Makes this process the only one on a directory, made when missing, and returns what gives it back.
 * @throws StartupError when another process has it, or no store can live there
 */
export async function ownDirectory(directory: string, log: Log): Promise<() => void> {
  try {
    await makeDirectory(directory)
    const release = lockDirectory(directory)
    try {
      await checkDirectory(directory, log)
      return release
    } catch (cause) {
      release()
      throw cause
    }
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError(`DATA_URI ${directory} is not a directory that can be written to.`, {
      cause,
    })
  }
}

/**
 * Makes a directory and those above it that are missing, for good: each is named in the one above.
 * An earlier start may have made it and been cut off.
 */
async function makeDirectory(directory: string): Promise<void> {
  const first = (await mkdir(directory, { recursive: true })) ?? directory
  let above = directory
  do {
    above = dirname(above)
    await syncPath(above).catch(unlessForbidden)
  } while (above !== dirname(first))
}

/**
 * Makes sure that a store can live in a directory, which nobody else uses meanwhile. One that is
 * there already starts on a full disk, too: it can be read, and what is deleted makes room.
 * @throws StartupError saying what is wrong with the place
 */
async function checkDirectory(directory: string, log: Log): Promise<void> {
  const room = await freeBytes(directory)
  if (room < leastRoom) {
    const [left, least] = [room, leastRoom].map((bytes) => Math.floor(bytes / 1024 / 1024))
    const message = `DATA_URI ${directory} is on a disk with ${left} MiB left; a store needs ${least}. Make room.`
    const names = await readdir(directory)
    if (!names.some((name) => name.endsWith('.lance'))) throw new StartupError(message)
    log.warn(message)
  } else await checkHardLinks(directory)
}

/** How much a directory's disk still takes. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/** A commit of LanceDB's is a hard link, which is made by one writer alone. */
async function checkHardLinks(directory: string): Promise<void> {
  const file = join(directory, '.link-check')
  const second = `${file}-2`
  await Promise.all([rm(file, { force: true }), rm(second, { force: true })])
  await (await open(file, 'w')).close()
  try {
    await link(file, second)
  } catch (cause) {
    if (!withoutLinks.has(String((cause as NodeJS.ErrnoException).code))) throw cause
    throw new StartupError(
      `DATA_URI ${directory} is on a file system without hard links (exFAT and mounted buckets have none), which the store needs. Give it another directory.`,
      { cause },
    )
  } finally {
    await Promise.all([rm(file, { force: true }), rm(second, { force: true })])
  }
}

const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'])

/** What this process may not even read it has not made. */
function unlessForbidden(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'EACCES') throw cause
}
