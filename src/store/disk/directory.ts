import {
  access,
  chmod,
  constants,
  mkdir,
  readdir,
  stat,
  link,
  rm,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupError, StoreInUse } from '../../errors/errors.ts'
import type { Log } from '../../process/log.ts'
import { codeOf, ignoring, ignoringMissing } from './errno.ts'
import { DiskFailed, syncPath } from './folder-sync.ts'
import { freeBytes } from './volume.ts'

const ownerOnly = 0o700
const minFreeToStart = 16 * 1024 * 1024

/** Makes a directory, and locks it until the result is called. @throws StartupError */
export async function ownDirectory(directory: string, log: Log): Promise<() => void> {
  try {
    await makeDirectory(directory)
    await access(directory, constants.W_OK | constants.X_OK)
    await closeToOthers(directory, log)
    const release = lockDirectory(directory)
    try {
      await checkDirectory(directory, log)
      await warnOfForeignFiles(directory, log)
      return release
    } catch (cause) {
      release()
      throw cause
    }
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    const code = codeOf(cause instanceof DiskFailed ? cause.cause : cause)
    const reason = reasons[code] ?? `it cannot be made or used (${code || String(cause)})`
    const message = `DATA_URI ${directory} is not a directory that can be written to: ${reason}.`
    throw new StartupError(message, { cause })
  }
}

const reasons: Record<string, string> = {
  EROFS: 'its file system is read-only',
  EIO: 'its disk reports an error',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  ENOTDIR: 'a file stands in its place, or above it',
  ENOENT: 'no directory can be made there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
}

/** Makes a directory and those above it, and syncs all, because an earlier start may have been cut off. */
async function makeDirectory(directory: string): Promise<void> {
  const missing: string[] = []
  for (let path = directory; !(await isThere(path)); path = dirname(path)) missing.unshift(path)
  // Node's own recursion never ends if nothing can be made, as in /proc.
  for (const path of missing) await mkdir(path, ownerOnly).catch(ignoring('EEXIST'))
  const first = missing[0] ?? directory
  let above = directory
  do {
    above = dirname(above)
    // A directory that may not be read was not made by this service.
    await syncPath(above).catch(ignoring('EACCES'))
  } while (above !== dirname(first))
}

/** Closes the directory and all below it. If it is another user's, that user says who may read it. */
async function closeToOthers(directory: string, log: Log): Promise<void> {
  const { mode, uid } = await stat(directory)
  if ((mode & 0o077) === 0 || uid !== process.getuid?.()) return
  const closed = await chmod(directory, ownerOnly).then(
    () => true,
    ignoring('EPERM', 'ENOTSUP', 'EROFS'),
  )
  if (closed)
    log.info({ directory }, 'the data directory was open to other users, and is closed now')
  else log.warn({ directory }, 'the data directory is open to other users, and cannot be closed')
}

async function isThere(path: string): Promise<boolean> {
  const there = await stat(path).catch(ignoringMissing)
  if (there?.isDirectory() === false) {
    throw Object.assign(new Error(`${path} is no directory`), { code: 'ENOTDIR' })
  }
  return there !== undefined
}

/** Lets an old store start on a full disk: it can be read, and deletes make room. */
async function checkDirectory(directory: string, log: Log): Promise<void> {
  const free = await freeBytes(directory)
  if (free >= minFreeToStart) return checkHardLinks(directory)
  const [left, min] = [free, minFreeToStart].map((bytes) => Math.floor(bytes / 1024 / 1024))
  const message = `DATA_URI ${directory} is on a disk with ${left} MiB left; a store needs ${min}. Make room.`
  const names = await readdir(directory)
  if (!names.some((name) => name.endsWith('.lance'))) throw new StartupError(message)
  log.warn(message)
}

const ownNames = /^\.|\.lance$|^(owner\.lock(-journal)?|reserve|scratch|lost\+found)$/
const maxTold = 5

/** Logs files that are not the service's: perhaps the setting names a wrong directory. */
async function warnOfForeignFiles(directory: string, log: Log): Promise<void> {
  const strangers = (await readdir(directory)).filter((name) => !ownNames.test(name)).toSorted()
  if (strangers.length === 0) return
  log.warn(
    { directory, files: strangers.slice(0, maxTold), count: strangers.length },
    'the data directory has files that are not of this service; give it a directory of its own by DATA_URI',
  )
}

/** Takes SQLite's lock, which ends with the process. @returns its release @throws StoreInUse */
function lockDirectory(directory: string): () => void {
  const file = join(directory, 'owner.lock')
  const lock = new DatabaseSync(file)
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    if (!/locked|busy/i.test(String(cause))) {
      throw new StartupError(`${file} cannot be locked. It holds nothing: remove it.`, { cause })
    }
    throw new StoreInUse(directory, cause)
  }
  return () => lock.close()
}

const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'])

/** LanceDB commits by a hard link, which only one of several writers can make. @throws StartupError */
async function checkHardLinks(directory: string): Promise<void> {
  const file = join(directory, '.link-check')
  const second = `${file}-2`
  const clear = () => Promise.all([file, second].map((path) => rm(path, { force: true })))
  await clear()
  await writeFile(file, '')
  try {
    await link(file, second)
  } catch (cause) {
    if (!withoutLinks.has(codeOf(cause))) throw cause
    throw new StartupError(
      `DATA_URI ${directory} is on a file system without hard links (exFAT and mounted buckets have none), which the store needs. Give it another directory.`,
      { cause },
    )
  } finally {
    await clear()
  }
}
