import { link, mkdir, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../errors.ts'

/** Below this a start would soon end in the middle of something. */
const leastRoom = 16 * 1024 * 1024

/**
 * Makes sure that a store can live in a local directory, made when missing.
 * @throws StartupError saying what is wrong with the place
 */
export async function checkDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  const room = await freeBytes(directory)
  if (room < leastRoom) {
    throw new StartupError(
      `DATA_URI ${directory} is on a disk with ${mebibytes(room)} MiB left; it needs ${mebibytes(leastRoom)}. Make room.`,
    )
  }
  await checkHardLinks(directory)
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
