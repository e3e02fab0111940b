import { link, mkdir, open, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartupError } from '../errors.ts'
import { syncPath } from './durability.ts'

/** Below this a start would soon end in the middle of something. */
const leastRoom = 16 * 1024 * 1024

/**
 * Makes sure that a store can live in a local directory, made when missing.
 * @throws StartupError saying what is wrong with the place
 */
export async function checkDirectory(directory: string): Promise<void> {
  await makeDirectory(directory)
  const room = await freeBytes(directory)
  if (room < leastRoom) {
    throw new StartupError(
      `DATA_URI ${directory} is on a disk with ${mebibytes(room)} MiB left; it needs ${mebibytes(leastRoom)}. Make room.`,
    )
  }
  await checkHardLinks(directory)
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

/** What this process may not even read it has not made. */
function unlessForbidden(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'EACCES') throw cause
}

/** How much a directory's disk still takes. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/** A commit of LanceDB's is a hard link, which is made by one writer alone. */
async function checkHardLinks(directory: string): Promise<void> {
  const [file, second] = ['.link-check', '.link-check-2'].map((name) => join(directory, name)) as [
    string,
    string,
  ]
  await Promise.all([rm(file, { force: true }), rm(second, { force: true })])
  await (await open(file, 'w')).close()
  try {
    await link(file, second)
  } catch (cause) {
    throw new StartupError(
      `DATA_URI ${directory} is on a file system without hard links (exFAT and mounted buckets have none), which the store needs. Give it another directory.`,
      { cause },
    )
  } finally {
    await Promise.all([rm(file, { force: true }), rm(second, { force: true })])
  }
}

const mebibytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024)
