import { access, constants, link, mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartupError } from '../../errors.ts'
import type { Log } from '../../process/log.ts'
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
    await access(directory, constants.W_OK | constants.X_OK)
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
    throw new StartupError(
      `DATA_URI ${directory} is not a directory that can be written to: ${reasonOf(cause)}.`,
      { cause },
    )
  }
}

/**
 * Makes a directory and those above it that are missing, for good: each is named in the one above.
 * An earlier start may have made it and been cut off.
 */
async function makeDirectory(directory: string): Promise<void> {
  const missing: string[] = []
  for (let path = directory; !(await isThere(path)); path = dirname(path)) missing.unshift(path)
  // Node's own recursion tries for ever where nothing can be made, as in /proc.
  for (const path of missing) await mkdir(path).catch(unlessMade)
  const first = missing[0] ?? directory
  let above = directory
  do {
    above = dirname(above)
    await syncPath(above).catch(unlessForbidden)
  } while (above !== dirname(first))
}

/** @throws where a file stands in the way, or nobody may look */
async function isThere(path: string): Promise<boolean> {
  const there = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause
    return undefined
  })
  if (there?.isDirectory() === false) {
    throw Object.assign(new Error(`${path} is no directory`), { code: 'ENOTDIR' })
  }
  return there !== undefined
}

/** Another server may start here at the same time. */
function unlessMade(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'EEXIST') throw cause
}

const reasonOf = (cause: unknown): string => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return reasons[code] ?? `it cannot be made or used (${code || String(cause)})`
}

const reasons: Record<string, string> = {
  EROFS: 'its file system is read-only',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  ENOTDIR: 'a file stands in its place, or above it',
  ENOENT: 'no directory can be made there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
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
